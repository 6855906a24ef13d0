export interface Condition { readonly source: string }
