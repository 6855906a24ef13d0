/** placeholder until the template room is written */
export interface Template { readonly source: string }
