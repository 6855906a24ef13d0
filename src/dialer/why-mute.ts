import type { AtMs } from '../kernel/clock.ts'
import { hoursMeet } from './call-window.ts'
import type { Campaign } from './campaign.ts'
import { zonesOfCountry } from './phone-zone.ts'
import { foreignCallerIds, type TrunkNumbers } from './trunk-choice.ts'

/** Why a complete campaign will not dial, in sentences: its caller ids, or countries where its hours never come. */
export function whyMute(campaign: Campaign, trunks: readonly TrunkNumbers[]): string[] {
  return [...foreignCallerIds(campaign, trunks), ...neverOpen(campaign)]
}

/** Any instant: the rules of time zones of its year. */
const REFERENCE_AT_MS: AtMs = Date.UTC(2026, 0, 1)

/** Numbers do not tell where in their country people live: they are called when it is day in all of it. */
function neverOpen({ allowedCountries, hours, timeZone }: Campaign): string[] {
  return allowedCountries.flatMap((country) => {
    const zones = zonesOfCountry(country)
    if (zones.length < 2 || hoursMeet(hours, [...zones, timeZone], REFERENCE_AT_MS)) return []
    const why = `no hour of theirs is one in all of its time zones and in ${timeZone}`
    return [`callWindows (never open for ${country}: ${why}; widen them, or set their timeZone to one of there)`]
  })
}
