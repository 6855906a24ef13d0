/** RFC 5321: no address is longer. */
const LETTERS_MAX = 320
/** No control characters and no halves of characters: broken encoded words have them, and no database stores them. */
const SHAPE = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cs}]+@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cs}]+$/u

/**
 * Normalizes an address for comparison: lower case, without blanks around; undefined if it is not an address. Our
 * choice: the part before the @ is also compared without case, as every large provider does.
 */
export function plainAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase()
  return address.length <= LETTERS_MAX && SHAPE.test(address) ? address : undefined
}
