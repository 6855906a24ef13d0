/** Addresses of email, as they are compared. */

/** RFC 5321: no address is longer. */
const LETTERS_MAX = 320
const SHAPE = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

/**
 * An address in the one spelling in which two are compared: small letters, no blanks around. Undefined: it is none.
 * Our choice: the part before the @ is compared without regard to case too, as every large provider does; mail to
 * `Anna@` and `anna@` is never two people's in practice.
 */
export function plainAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  return address.length <= LETTERS_MAX && SHAPE.test(address) ? address : undefined
}
