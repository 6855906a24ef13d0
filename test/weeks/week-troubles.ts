/** Troubles of a week: phones of agents fail together, teams change, a database is slow, a day is added. */
import type { AgentName, AttemptId, CampaignId, TeamName } from '../../src/kernel/ids.ts'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import { STAYS } from '../worlds/campaign-world.ts'
import { copenhagen } from './places.ts'
import type { Week } from './week-operations.ts'
import type { Trouble } from './week-plan.ts'

const AIMS_FOR_MS = 60_000
const SLOW_FOR_MS = 3_000
const DAY_MS = 24 * 3_600_000

/** Does it, or nothing where it could harm nobody. */
export function trouble(week: Week, { what, atMs }: Trouble): void {
  if (what === 'phones') aim(week, failPhones, atMs + AIMS_FOR_MS)
  if (what === 'changeTeam') aim(week, changeTeam, atMs + AIMS_FOR_MS)
  if (what === 'database') slowDown(week)
  if (what === 'addDay') addDay(week)
}

/** Does it while a phone of somebody called rings, to the campaign that calls them. */
function aim(week: Week, act: (week: Week, campaign: CampaignId) => void, untilMs: number): void {
  const { clock, pbx, dialerRepository } = week.world
  const ringing = pbx.carrier.calls.slice(-40).find(({ rangAtMs, answeredAtMs, endedAtMs }) => {
    return rangAtMs !== undefined && answeredAtMs === undefined && endedAtMs === undefined
  })
  const attempt = ringing && dialerRepository.view.attempts.get(Number(ringing.invite.reference) as AttemptId)
  if (attempt) act(week, attempt.campaign)
  else if (clock.nowMs() < untilMs) clock.schedule(clock.nowMs() + 500, () => aim(week, act, untilMs))
}

function changeTeam(week: Week, id: CampaignId): void {
  const { team } = week.world.dialerRepository.view.campaigns.get(id)!
  const other = Object.keys(week.plan.teams).find((name) => name !== team && name !== 'everybody')
  void week.saveCampaign({ id, team: other as TeamName })
}

function failPhones({ world, plan, log }: Week): void {
  const { clock } = world
  const nowMs = clock.nowMs()
  const forMs = randomInt(seededRandom(nowMs), 8_000, 40_000)
  log.phones.push({ fromMs: nowMs, untilMs: nowMs + forMs })
  // Lines of a team without anybody at work are cancelled: one stays, who talks to somebody, if anybody does.
  const stateOf = (name: string) => log.statuses.findLast(({ agent }) => agent === name)?.state
  const stays = plan.agents.find((name) => stateOf(name) === 'talking') ?? plan.agents.at(-1)
  const failing = plan.agents.filter((name) => name !== stays || plan.agents.length === 1)
  for (const agent of failing) world.pbx.agentPhone(agent as AgentName, { does: 'reject', afterMs: 300 }).hangUp()
  clock.schedule(nowMs + forMs, () => {
    for (const agent of failing) world.pbx.agentPhone(agent as AgentName, STAYS)
  })
}

/** Answers of the database take up to two seconds. */
function slowDown({ world, log }: Week): void {
  const { dialerRepository, clock } = world
  const usual = dialerRepository.faults
  log.slow.push({ fromMs: clock.nowMs(), untilMs: clock.nowMs() + SLOW_FOR_MS })
  dialerRepository.faults = { ...usual, slow: 1, slowMs: [300, 1_900] }
  clock.schedule(clock.nowMs() + SLOW_FOR_MS, () => {
    dialerRepository.faults = { ...usual, slow: 0 }
  })
}

/** The campaign that is closed today is open today as well. */
function addDay(week: Week): void {
  const { world, plan } = week
  const day = Math.floor((world.clock.nowMs() - copenhagen(plan.mondayMs, 0, 0)) / DAY_MS) + 1
  const [first] = plan.campaigns
  const campaign = world.dialerRepository.view.campaigns.get(first!.id)!
  const [window, ...others] = campaign.settings['callWindows'] as { days: number[] }[]
  const days = [...new Set([...window!.days, day])]
  void week.saveCampaign({
    id: campaign.id,
    settings: { ...campaign.settings, callWindows: [{ ...window, days }, ...others] },
  })
}
