/** `A`, `B`, …, `Z`, `AA`: how spreadsheet programs name the column at a place. */
export function columnLetter(place: number): string {
  const last = String.fromCharCode(65 + (place % 26))
  return place < 26 ? last : columnLetter(Math.floor(place / 26) - 1) + last
}
