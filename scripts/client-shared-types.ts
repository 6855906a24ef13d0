/** Names object types that occur several times in the typed client, to declare each once. */

/** Where an object type occurs. */
export interface Place {
  /** Path from the operation: `['Case', 'Member']`. */
  readonly names: readonly string[]
  /** Request types are wider than answer types and have the suffix `In`. */
  readonly side: 'request' | 'answer'
  readonly isField: boolean
  readonly isList: boolean
}

interface SharedType {
  readonly places: Place[]
  /** Renders the type, with names for shared inner types. */
  readonly write: () => string
}

/** The first rendering counts object types; the second one uses names for those that occurred twice. */
export class SharedTypes {
  readonly #types = new Map<string, SharedType>()
  readonly #names = new Map<string, string>()
  #isCounted = false

  /** The name of a type, or its text. `whole` is its text without names and identifies the type. */
  textFor(whole: string, place: Place, write: () => string, inline: () => string): string {
    if (this.#isCounted) return this.#names.get(whole) ?? inline()
    const known = this.#types.get(whole)
    if (!known) this.#types.set(whole, { places: [place], write })
    known?.places.push(place)
    // Inner types of a shared type are counted once.
    return known ? '' : inline()
  }

  /** Ends the counting and assigns names. */
  nameThem(): void {
    const shared = [...this.#types].filter(([, { places }]) => places.length > 1)
    const short = shared.map(([whole, { places }]) => ({ whole, places, name: nameOf(whole, places) }))
    for (const { whole, places, name } of short) {
      const isTaken = short.some((other) => other.whole !== whole && isSame(other.name, name))
      const long = isTaken ? (mostFrequent(places.flatMap(({ names }) => names.at(-2) ?? [])) ?? '') + name : name
      const taken = [...this.#names.values()].filter((other) => isSame(other.replace(/\d+$/, ''), long)).length
      this.#names.set(whole, taken === 0 ? long : `${long}${taken + 1}`)
    }
    this.#isCounted = true
  }

  /** The declarations, sorted by name. */
  declarations(): string {
    const all = [...this.#names].map(([whole, name]) => `type ${name} = ${this.#types.get(whole)?.write()}\n`)
    return all.sort().join('\n')
  }
}

/** The most frequent field or operation name; a small type with many names is named after its own fields. */
function nameOf(whole: string, places: readonly Place[]): string {
  const fields = [...whole.matchAll(/^ {2}readonly '?(\w+)/gm)].map(([, name = '']) => name)
  const best = [places.filter(({ isField }) => isField), places.filter(({ isList }) => isList), places]
  const names = (best.find((some) => some.length > 0) ?? []).map(lastOf)
  const most = mostFrequent(names) ?? ''
  const isClear = fields.length > 1 && names.filter((name) => name === most).length * 2 >= names.length
  const name = isClear || fields.length > 3 ? most : `With${fields.map(pascal).join('')}`
  return `${name}${places[0]?.side === 'request' ? 'In' : ''}`
}

const lastOf = ({ names }: Place) => names.at(-1) ?? ''
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function mostFrequent(names: readonly string[]): string | undefined {
  const count = (name: string) => names.filter((other) => other === name).length
  return [...names].sort((one, other) => count(other) - count(one))[0]
}

/** `callTasks` → `CallTask`, `activity-summary` → `ActivitySummary`. */
export function typeName(word: string, isList: boolean): string {
  return pascal(isList ? singular(word) : word)
}

function pascal(word: string): string {
  return word.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, first: string) => first.toUpperCase())
}

function singular(word: string): string {
  return word
    .replace(/(us|ss)es$/, '$1')
    .replace(/ies$/, 'y')
    .replace(/([^su])s$/, '$1')
}
