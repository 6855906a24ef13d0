/** Facts of a campaign-day that its checkers share. */
import type { SimContact } from '../../src/sim/sim-contact.ts'
import type { SimAttempt } from '../sim/sim-dialer-repository-rows.ts'
import type { Lived, Trouble } from './campaign-day.ts'
import type { CampaignPlan } from './campaign-plan.ts'

/** Whether something of these kinds was broken between two instants, or shortly before. */
export function wasTrouble(day: Lived, fromMs: number, untilMs: number, kinds?: readonly Trouble['what'][]): boolean {
  return day.troubles.some(
    (trouble) =>
      (kinds?.includes(trouble.what) ?? true) && trouble.fromMs <= untilMs && fromMs <= trouble.untilMs + AFTERMATH_MS,
  )
}

/** The line to the switch tells everything once, and nothing is in the way of the records. */
export function isCalm(day: Lived): boolean {
  return day.plan.weather.isCalm
}

/** The campaign of an attempt. */
export function campaignOf(day: Lived, { campaign }: SimAttempt): CampaignPlan {
  return day.plan.campaigns.find(({ id }) => id === campaign)!
}

/** Whether a machine that is found is hung up on, or gets a message; else detection only listens (campaigns-81). */
export function actsOnMachines({ machineDetection }: CampaignPlan['settings']): boolean {
  const { enabled, maxErrorPercent } = machineDetection as { enabled: boolean; maxErrorPercent?: number }
  return enabled && maxErrorPercent !== undefined
}

const AFTERMATH_MS = 8_000

/** Whether callee and agent were together. */
export function heardAgent({ heard }: SimContact): boolean {
  return heard.some(({ what }) => what === 'person')
}
