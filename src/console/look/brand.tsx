import mark from './mark.svg'

/** The name of the product, the same in every language. */
export const PRODUCT = 'Switchboard'

/** The mark of the product; its name stands beside it. */
export function Mark({ size }: { readonly size: number }) {
  return <img src={mark} width={size} height={size} alt="" />
}
