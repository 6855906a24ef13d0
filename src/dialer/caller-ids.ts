/** Caller ids by destination: the setting, and which number a callee sees (campaigns-70). */
import { isSupportedCountry } from 'libphonenumber-js/max'
import Type from 'typebox'
import type { ContactKey, PhoneNumber } from '../kernel/ids.ts'
import type { Touch } from '../ports/attempt.ts'
import { isPhoneNumber } from './phone-number.ts'

/** A number that callees of these destinations see: countries such as DE, or number prefixes such as +4930. */
export interface CallerIdRule {
  readonly number: PhoneNumber
  readonly destinations: readonly string[]
}

/** One entry of the setting `callerIds`. */
export const callerIdSetting = Type.Object(
  {
    number: Type.String({ maxLength: 16, description: 'The number that callees see: + and digits.' }),
    destinations: Type.Array(Type.String({ pattern: '^(?:[A-Z]{2}|\\+[1-9][0-9]{0,14})$' }), {
      minItems: 1,
      maxItems: 60,
      description: 'Whom it is for: countries (ISO 3166-1) such as DE, or prefixes of numbers such as +4930.',
    }),
  },
  { additionalProperties: false },
)

/** Checks that the schema cannot express, by index in `callerIds`. */
export function wrongCallerIds(
  callerIds: readonly Type.Static<typeof callerIdSetting>[],
): { readonly path: string; readonly why: string }[] {
  return callerIds.flatMap(({ number, destinations }, place) => {
    const problems: { path: string; why: string }[] = []
    const say = (field: string, why: string) => problems.push({ path: `callerIds[${place}].${field}`, why })
    if (!isPhoneNumber(number)) say('number', 'must be + and digits, such as +4570001000')
    if (callerIds.findIndex((other) => other.number === number) < place) {
      say('number', 'is in the list twice; write its destinations in one entry')
    }
    for (const [at, destination] of destinations.entries()) {
      if (destination.startsWith('+') || isSupportedCountry(destination)) continue
      say(`destinations[${at}]`, 'must be a country (ISO 3166-1) such as DE, or a prefix such as +4930')
    }
    return problems
  })
}

interface ShownIds {
  readonly callerId: PhoneNumber
  readonly callerIds: readonly CallerIdRule[]
}

/** Every number that calls of the campaign may show, once. */
export function callerIdsOf({ callerId, callerIds }: ShownIds): PhoneNumber[] {
  return [...new Set([callerId, ...callerIds.map(({ number }) => number)])]
}

/** Whom a call is for. `touches`: newest first, calls to the person or to their numbers. */
interface Callee {
  readonly number: PhoneNumber
  readonly country: string | undefined
  readonly person: ContactKey | undefined
  readonly touches: readonly Touch[]
}

/**
 * The number that this callee sees: of those that fit best, the one of the last call to the number, else to the
 * person, else a fixed one for the person. A callee who blocks a caller id is never called with another one because of
 * that.
 */
export function callerIdFor({ callerId, callerIds }: ShownIds, callee: Callee): PhoneNumber {
  const fits = callerIds.map(({ destinations }) => Math.max(...destinations.map((one) => fitOf(one, callee))))
  const best = Math.max(...fits)
  const fitting = callerIds.flatMap(({ number }, place) => (fits[place] === best ? [number] : []))
  if (fitting.length === 0 || best === 0) return callerId
  const shown = callee.touches.filter((touch) => touch.callerId !== undefined && fitting.includes(touch.callerId))
  const last = shown.find(({ number }) => number === callee.number) ?? shown[0]
  return last?.callerId ?? chosenFor(callee.person ?? callee.number, fitting)
}

/** 0: does not fit. Every prefix, which has a plus sign and a digit at least, fits better than a country. */
function fitOf(destination: string, { number, country }: Callee): number {
  if (destination === country) return 1
  return number.startsWith(destination) ? destination.length : 0
}

/** The highest hash wins: an id that is added or removed changes the choice of as few persons as possible. */
function chosenFor(person: string, ids: readonly PhoneNumber[]): PhoneNumber {
  const hashes = ids.map((id) => hashOf(`${id} ${person}`))
  return ids[hashes.indexOf(Math.max(...hashes))]!
}

/** FNV-1a with a last mix, because persons often differ in their last digit only. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
