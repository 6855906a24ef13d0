/** Numbers of a request that names no campaign, and so no country of its own. */
import { countryOf, normalizeNumber } from '../../dialer/phone-number.ts'
import type { CorporationId, PhoneNumber } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import type { FieldError } from '../http/problem-kinds.ts'

/**
 * For each text the numbers that it may mean: one with `+` is one; without it, it is at home wherever one of the
 * asker's campaigns is. What is none goes to `errors`, under `path`.
 */
export async function readHomeNumbers(
  dialerAdmin: RestDependencies['dialerAdmin'],
  given: readonly string[],
  corporations: readonly CorporationId[],
  path: string,
  errors: FieldError[],
): Promise<PhoneNumber[]> {
  const isNational = given.some((number) => normalizeNumber(number, undefined) === undefined)
  const callerIds = isNational ? await dialerAdmin.callerIds(corporations) : []
  const countries = [...new Set(callerIds.map(countryOf))].filter((country) => country !== undefined)
  return given.flatMap((text, place) => {
    const international = normalizeNumber(text, undefined)
    const readings = international ? [international] : countries.map((country) => normalizeNumber(text, country))
    const numbers = readings.filter((reading) => reading !== undefined)
    if (numbers.length === 0) {
      errors.push({ path: `${path}[${place}]`, code: 'number', message: 'is no telephone number; write + and digits' })
    }
    return numbers
  })
}
