/** Where texts may go: the countries of our own numbers, and those that the operator names (F-J25, campaigns-100). */
import type { TextDestination } from '../adapters/sms/sms-limits.ts'
import { countryOf } from '../dialer/phone-number.ts'
import { examineNumber } from '../dialer/phone-zone.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { PhoneNumber } from '../kernel/ids.ts'

/** Premium, shared-cost and satellite numbers get no text anywhere. */
export function textDestinations(
  config: () => Pick<InstallationConfig, 'numbers' | 'trunks'>,
  more: readonly string[],
): (to: PhoneNumber) => TextDestination {
  return (to) => {
    const facts = examineNumber(to, 'possible')
    if (!facts.ok) return { why: `texts do not go to such numbers (${facts.why})` }
    const { numbers, trunks } = config()
    const ours = [...numbers.keys(), ...[...trunks.values()].flatMap(({ callerIds }) => callerIds)]
    const { country } = facts
    if (ours.some((number) => countryOf(number) === country)) return {}
    if (more.includes(country)) return { abroad: country }
    return { why: `texts do not go to ${country}; the operator opens a country with SMS_COUNTRIES` }
  }
}
