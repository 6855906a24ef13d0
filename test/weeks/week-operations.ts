/** The operations of a week. Each draws whom it concerns from what is going on at that moment. */
import type { CallTaskId, TeamName } from '../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import type { Campaign, Stop, StoredCampaign } from '../../src/ports/dialer-repository.ts'
import type { SimAttempt, SimTask } from '../sim/sim-dialer-repository-rows.ts'
import { type CampaignWorld, INBOUND, SYSTEM } from '../worlds/campaign-world.ts'
import type { Teams } from '../worlds/set-up.ts'
import { localTime, minuteOf, timeOf } from './places.ts'
import { drawCaller } from './week-callees.ts'
import type { WeekLog } from './week-log.ts'
import { callerIdOf, type Operation, type WeekPlan } from './week-plan.ts'

const MINUTE_MS = 60_000

/** A week while it is lived. */
export interface Week {
  readonly plan: WeekPlan
  readonly log: WeekLog
  readonly world: CampaignWorld
  readonly random: Random
  /** Saves what a supervisor changes; the rest is as it was. */
  saveCampaign(change: Partial<Campaign> & Pick<Campaign, 'id'>): Promise<void>
  /** From now on these agents are in these teams. */
  employ(teams: Teams): void
  /** The engine dies; another one is there soon. */
  crash(forMs: number): void
}

/** Does it, or nothing where there is nobody whom it could concern. */
export function operate(week: Week, what: Operation): void {
  if (AIMED.includes(what)) aim(week, what, week.world.clock.nowMs() + AIMS_FOR_MS)
  else DEEDS[what](week)
}

/** What harms only while lines ring, or somebody talks. */
const AIMED: readonly Operation[] = ['endRinging', 'pause', 'moveAgent', 'changeTeam', 'changeCallerId', 'killSwitch']
const AIMS_FOR_MS = 2 * MINUTE_MS

function aim(week: Week, what: Operation, untilMs: number): void {
  const { clock, pbx } = week.world
  const isRinging = pbx.carrier.calls.slice(-40).some(({ rangAtMs, answeredAtMs, endedAtMs }) => {
    return rangAtMs !== undefined && answeredAtMs === undefined && endedAtMs === undefined
  })
  if (isRinging || clock.nowMs() >= untilMs) DEEDS[what](week)
  else clock.schedule(clock.nowMs() + 500, () => aim(week, what, untilMs))
}

const DEEDS: Readonly<Record<Operation, (week: Week) => void>> = {
  endAny: (week) => endOne(week, () => true),
  endRinging: (week) => endOne(week, ringing(week)),
  endTalking: (week) => endOne(week, talking(week)),
  endPromised: (week) => endOne(week, promised(week)),
  endFinished: (week) => endOne(week, ({ finishedAtMs }) => finishedAtMs !== undefined),
  stopNumber: (week) => stopOne(week, false),
  stopPerson: (week) => stopOne(week, true),
  callIn: (week) =>
    callIn(
      week,
      someTask(week, () => true),
    ),
  callInDue: (week) => callIn(week, someTask(week, isDueSoon(week))),
  widenHours,
  addDay,
  raiseCap,
  pause,
  killSwitch,
  moveAgent,
  changeTeam,
  changeCallerId,
  outage,
  crash: (week) => week.crash(randomOf(week.random, [100, 3_000, 30_000])),
}

type TaskTest = (task: Readonly<SimTask>) => boolean

function openAttempts({ world }: Week): Readonly<SimAttempt>[] {
  return [...world.dialerRepository.view.attempts.values()].filter(({ ended }) => !ended)
}

function ringing(week: Week): TaskTest {
  const open = openAttempts(week).filter(({ connectedAtMs }) => connectedAtMs === null)
  return ({ id }) => open.some(({ task }) => task === id)
}

function talking(week: Week): TaskTest {
  const open = openAttempts(week).filter(({ connectedAtMs }) => connectedAtMs !== null)
  return ({ id }) => open.some(({ task }) => task === id)
}

/** In which somebody was promised a call, or which goes on where another was finished. */
function promised({ world }: Week): TaskTest {
  const { tasks } = world.dialerRepository.view
  const followed = new Set([...tasks.values()].map(({ follows }) => follows))
  return ({ callback, finishedAtMs, id }) => (callback && finishedAtMs === undefined) || followed.has(id)
}

/** Whose turn comes while they are on our line. */
function isDueSoon({ world }: Week): TaskTest {
  const soonMs = world.clock.nowMs() + MINUTE_MS
  return ({ nextCallAtMs = Number.POSITIVE_INFINITY }) => nextCallAtMs <= soonMs
}

function someTask({ world, random }: Week, isMeant: TaskTest): Readonly<SimTask> | undefined {
  const tasks = [...world.dialerRepository.view.tasks.values()].filter(isMeant)
  return tasks.length > 0 ? randomOf(random, tasks) : undefined
}

/** A payment. */
function endOne(week: Week, isMeant: TaskTest): void {
  const task = someTask(week, isMeant)
  if (!task) return
  const { dialerRepository, clock } = week.world
  const { id, corporation } = task
  const command = { task: id, corporations: [corporation], status: 'endedBySystem', atMs: clock.nowMs() } as const
  void dialerRepository.endCallTask(command).then(({ outcome }) => {
    if (outcome !== 'no such call task') week.log.ends.push({ atMs: clock.nowMs(), task: id as CallTaskId })
  })
}

function stopOne(week: Week, isPerson: boolean): void {
  const { random, world } = week
  const open = ringing(week)
  const task = (random.next() < 0.5 ? someTask(week, open) : undefined) ?? someTask(week, () => true)
  if (!task) return
  const { numbers, externalCustomer, corporation } = task
  const stop: Stop =
    isPerson && externalCustomer !== undefined
      ? { kind: 'person', externalSystem: SYSTEM, externalCustomer }
      : { kind: 'number', number: randomOf(random, numbers).number }
  void world.dialerRepository.addStop(corporation, stop, world.clock.nowMs()).then(() => {
    week.log.stops.push({ atMs: world.clock.nowMs(), corporation, stop })
  })
}

function callIn(week: Week, task: Readonly<SimTask> | undefined): void {
  const { random, world, log } = week
  if (!task || !world.isAlive) return
  const { number } = randomOf(random, task.numbers)
  const isTalking = world.pbx.carrier.calls.some(
    ({ invite, answeredAtMs, endedAtMs }) =>
      invite.number === number && answeredAtMs !== undefined && endedAtMs === undefined,
  )
  if (isTalking) return
  const caller = world.pbx.callIn({ called: INBOUND, caller: number, person: drawCaller(random) })
  const called = { atMs: world.clock.nowMs(), number, caller, endedAtMs: undefined as number | undefined }
  log.callers.push(called)
  caller.onEnd(() => {
    called.endedAtMs = world.clock.nowMs()
  })
}

function someCampaign({ world, random }: Week): StoredCampaign {
  return randomOf(random, [...world.dialerRepository.view.campaigns.values()])
}

interface Window {
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

function changeSettings(week: Week, { id, settings }: StoredCampaign, change: Readonly<Record<string, unknown>>): void {
  void week.saveCampaign({ id, settings: { ...settings, ...change } })
}

function widenHours(week: Week): void {
  const campaign = someCampaign(week)
  const windows = (campaign.settings['callWindows'] as readonly Window[]).map((window) => ({
    ...window,
    from: timeOf(Math.min(10 * 60, minuteOf(window.from))),
    to: timeOf(Math.max(week.plan.toMinute, minuteOf(window.to))),
  }))
  changeSettings(week, campaign, { callWindows: windows })
}

/** Today, which is not one of them. */
function addDay(week: Week): void {
  const campaign = someCampaign(week)
  const { weekday } = localTime('+45', week.world.clock.nowMs())
  const windows = campaign.settings['callWindows'] as readonly Window[]
  if (windows.some(({ days }) => days.includes(weekday))) return
  const [first] = windows
  changeSettings(week, campaign, { callWindows: [...windows, { ...first, days: [weekday] }] })
}

function raiseCap(week: Week): void {
  const campaign = someCampaign(week)
  const cap = campaign.settings['frequencyCap'] as { calls: number }
  changeSettings(week, campaign, { frequencyCap: { ...cap, calls: cap.calls + 3 } })
}

function pause(week: Week): void {
  const { id } = someCampaign(week)
  const { clock } = week.world
  void week.saveCampaign({ id, active: false })
  clock.schedule(clock.nowMs() + randomOf(week.random, [5_000, 60_000, 4 * MINUTE_MS]), () => {
    void week.saveCampaign({ id, active: true })
  })
}

function killSwitch(week: Week): void {
  const { dialerRepository, clock } = week.world
  const set = (isOn: boolean) =>
    void dialerRepository.setKillSwitch(isOn, 'supervisor', clock.nowMs()).then(() => {
      week.log.killSwitch.push({ atMs: clock.nowMs(), isOn })
    })
  set(true)
  clock.schedule(clock.nowMs() + randomOf(week.random, [20_000, 3 * MINUTE_MS]), () => set(false))
}

/** One agent changes the team, or all but one do. */
function moveAgent(week: Week): void {
  const { random, log, plan } = week
  const { everybody, ...teams } = log.teams.at(-1)!.teams
  const to = randomOf(random, Object.keys(teams))
  const going = random.next() < 0.5 ? [randomOf(random, plan.agents)] : plan.agents.slice(1)
  const moved = Object.entries(teams).map(([team, members]) => {
    const others = members.filter((name) => !going.includes(name))
    if (team === to) return [team, [...others, ...going]] as const
    return [team, others.length > 0 ? others : members] as const
  })
  week.employ({ ...Object.fromEntries(moved), everybody: everybody! })
}

function changeTeam(week: Week): void {
  const { id, team } = someCampaign(week)
  const teams = Object.keys(week.log.teams.at(-1)!.teams).filter((name) => name !== team && name !== 'everybody')
  void week.saveCampaign({ id, team: randomOf(week.random, teams) as TeamName })
}

function changeCallerId(week: Week): void {
  const campaign = someCampaign(week)
  const place = week.plan.campaigns.findIndex(({ id }) => id === campaign.id)
  const now = campaign.settings['callerId']
  const other = [callerIdOf(place), callerIdOf(place + 50)].find((id) => id !== now)
  const trunk = randomOf(week.random, week.plan.trunks).name
  changeSettings(week, campaign, { callerId: other, trunk })
}

/** The carrier refuses every call. */
function outage(week: Week): void {
  const { random, plan, log, world } = week
  const nowMs = world.clock.nowMs()
  const untilMs = nowMs + randomInt(random, 1, 10) * MINUTE_MS
  log.outages.push({ trunk: randomOf(random, plan.trunks).name, fromMs: nowMs, untilMs })
}
