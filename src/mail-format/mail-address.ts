/** RFC 5321: no address is longer. */
const LETTERS_MAX = 320
const SHAPE = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

/**
 * Normalizes an address for comparison: lower case, without blanks around; undefined if it is not an address. Our
 * choice: the part before the @ is also compared without case, as every large provider does.
 */
export function plainAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  return address.length <= LETTERS_MAX && SHAPE.test(address) ? address : undefined
}
