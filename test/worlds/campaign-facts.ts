/** Facts of a campaign-day that its checkers share. */
import { createHash } from 'node:crypto'
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

/** Asterisk counts whole seconds without a packet (`rtp_timeout`, campaigns-80). */
export const NOTICED_MS = 2_500
/** How long a packet is waited for where somebody is joined with an agent (campaigns-86). */
export const NO_PACKET_MS = 1_000

const AFTERMATH_MS = 8_000

/** Whether callee and agent were together. */
export function heardAgent({ heard }: SimContact): boolean {
  return heard.some(({ what }) => what === 'person')
}

/** For how long. */
export function talkedMs({ heard, endedAtMs }: SimContact): number {
  const talks = heard.filter(({ what }) => what === 'person')
  return talks.reduce((sum, { fromMs, untilMs }) => sum + (untilMs ?? endedAtMs ?? fromMs) - fromMs, 0)
}

/** The whole story of a day in one line: what was kept, what was really dialed, and when. */
export function storyOf({ world, callers }: Lived): string {
  const { attempts, tasks, calls, events, feedback, corrections } = world.dialerRepository.view
  const dialed = world.pbx.carrier.calls.map((call) => {
    const { invite, rangAtMs, answeredAtMs, endedAtMs, endedBy, heard } = call
    return { invite, rangAtMs, answeredAtMs, endedAtMs, endedBy, heard }
  })
  const heard = callers.map(({ person }) => person.heard)
  const kept = [attempts, tasks, calls].map((rows) => [...rows.values()])
  return createHash('sha256')
    .update(JSON.stringify([kept, events, feedback, corrections, dialed, heard]))
    .digest('hex')
}
