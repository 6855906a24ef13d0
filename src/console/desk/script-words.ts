/** The script of a campaign, filled in for one person. Pure. */
import { plainText } from '../texts/outside-text.ts'

/** A part of a line: words of the supervisor, or what stands in the place of `{name}`. */
export interface ScriptPart {
  readonly text: string
  /** The supervisor's own words; what is known of the person; a place for which nothing is known. */
  readonly kind: 'words' | 'value' | 'unknown'
}

/** Of the server's own limit (campaigns-107). */
const LINE_MAX = 20_000
const VALUE_MAX = 200
/** Names of places have no braces and no line ends; spaces around them do not count. */
const PLACE = /\{([^{}\n]{1,100})\}/

/**
 * The lines of the script. A place whose value is not known stays as it was written, so that nobody reads a gap to a
 * person. Capital letters of names do not count.
 */
export function filledScript(script: string, values: ReadonlyMap<string, string>): ScriptPart[][] {
  return script.split(/\r\n|\r|\n/).map((line) => {
    // With one group in the pattern every second part is the name of a place.
    const parts = line.replaceAll('\t', '  ').split(PLACE)
    return parts.flatMap((text, at): ScriptPart[] => {
      if (at % 2 === 0) return text === '' ? [] : [{ text: plainText(text, LINE_MAX), kind: 'words' }]
      const value = values.get(placeOf(text))
      if (value) return [{ text: plainText(value, VALUE_MAX), kind: 'value' }]
      return [{ text: plainText(`{${text}}`), kind: 'unknown' }]
    })
  })
}

/** The name of a place, as the map of values has it. */
export function placeOf(name: string): string {
  return name.trim().toLowerCase()
}
