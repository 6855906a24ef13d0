/** Where texts may go: the countries of our own numbers, and those that the operator names (F-J25, campaigns-100). */
import { countryOf } from '../dialer/phone-number.ts'
import { examineNumber } from '../dialer/phone-zone.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { PhoneNumber } from '../kernel/ids.ts'

/** Why no text goes to a number; undefined: one may. Premium, shared-cost and satellite numbers get none anywhere. */
export function textDestinations(
  config: () => Pick<InstallationConfig, 'numbers' | 'trunks'>,
  more: readonly string[],
): (to: PhoneNumber) => string | undefined {
  return (to) => {
    const facts = examineNumber(to, 'possible')
    if (!facts.ok) return `texts do not go to such numbers (${facts.why})`
    const { numbers, trunks } = config()
    const ours = [...numbers.keys(), ...[...trunks.values()].flatMap(({ callerIds }) => callerIds)]
    const countries = new Set([...more, ...ours.map((number) => countryOf(number))])
    if (countries.has(facts.country)) return undefined
    return `texts do not go to ${facts.country}; the operator opens a country with SMS_COUNTRIES`
  }
}
