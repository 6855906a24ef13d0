/** Telephone numbers of requests that name no campaign, and hence no country. */
import { countryOf, normalizeNumber } from '../../dialer/phone-number.ts'
import type { CorporationId, PhoneNumber } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import type { FieldError } from '../http/problem-kinds.ts'

/** Without `+` a text may be a number of any campaign's country. Invalid texts are added to `errors` under `path`. */
export async function readHomeNumbers(
  dialerAdmin: RestDependencies['dialerAdmin'],
  given: readonly string[],
  corporations: readonly CorporationId[],
  path: string,
  errors: FieldError[],
): Promise<PhoneNumber[]> {
  const readings = await homeReadings(dialerAdmin, given, corporations)
  return readings.flatMap((numbers, place) => {
    if (numbers.length === 0) {
      errors.push({
        path: `${path}[${place}]`,
        code: 'number',
        message: 'is not a telephone number; write + and digits',
      })
    }
    return numbers
  })
}

/** The numbers that each text may be: none for a text that is no number, several without `+` and a single country. */
export async function homeReadings(
  dialerAdmin: RestDependencies['dialerAdmin'],
  given: readonly string[],
  corporations: readonly CorporationId[],
): Promise<PhoneNumber[][]> {
  const isNational = given.some((number) => normalizeNumber(number, undefined) === undefined)
  const callerIds = isNational ? await dialerAdmin.callerIds(corporations) : []
  const countries = [...new Set(callerIds.map(countryOf))].filter((country) => country !== undefined)
  return given.map((text) => {
    const international = normalizeNumber(text, undefined)
    const readings = international ? [international] : countries.map((country) => normalizeNumber(text, country))
    return readings.filter((reading) => reading !== undefined)
  })
}
