/** What is wrong with a shift: what the engine says, against what the switch has and what people hear. */
import type { TeamName } from '../../../src/kernel/ids.ts'
import type { AgentStatus } from '../../../src/ports/agent-desktop.ts'
import type { SimCaller } from '../../../src/sim/sim-caller.ts'
import type { SimContact } from '../../../src/sim/sim-contact.ts'
import type { Heard } from '../../../src/sim/sim-ear.ts'
import { CAMPAIGN, type CampaignWorld } from '../../worlds/campaign-world.ts'
import type { AgentPage } from './bad-luck-page.ts'

type Party = SimCaller | SimContact

interface BadLuckShift {
  readonly world: CampaignWorld
  readonly pages: readonly AgentPage[]
  parties(): readonly Party[]
}

/** States in which an agent waits for nobody and talks to nobody. */
const ALONE: readonly AgentStatus['state'][] = ['ready', 'wrapUp', 'paused']
const GOOD: Readonly<Record<AgentPage['wants'], AgentStatus['state']>> = {
  ready: 'ready',
  paused: 'paused',
  out: 'loggedOut',
}

/** Errors of ours, and not of a bad day. */
const MISTAKES = [
  'internal error',
  'an event handler threw',
  'dialing decision failed',
  'a listener of ended calls failed',
]

/** While conversations go on. What stands here twice, some seconds apart, is wrong. */
export function lastingFaults(shift: BadLuckShift): string[] {
  return [
    ...shift
      .parties()
      .filter((party) => !hears(party))
      .map((party) => `${nameOf(party)} hears nothing`),
    // A caller has the phone of an agent who is logged out: a log-in waits.
    ...shift.pages
      .filter(({ agent }) => shift.world.engine.agentStates().get(agent) !== 'talking')
      .flatMap((page) => [...agentFaults(shift, page), ...shownFaults(shift, page)]),
    ...waitingFaults(shift),
  ]
}

/** When everybody else has hung up. */
export function atRestFaults(shift: BadLuckShift): string[] {
  return [
    ...lastingFaults(shift),
    ...shift.pages
      .filter(({ state, wants }) => state !== GOOD[wants])
      .map(({ agent, state, wants, status }) => `${agent} wants ${wants} and is ${state} (${status?.reason})`),
    ...switchFaults(shift),
    ...engineFaults(shift),
  ]
}

function hears({ heard }: { readonly heard: readonly Heard[] }): boolean {
  return heard.some(({ untilMs }) => untilMs === undefined)
}

function nameOf(party: Party): string {
  return 'invite' in party ? `${party.invite.number} (${party.invite.leg})` : `the caller ${party.leg}`
}

function statusOf({ world }: BadLuckShift, { agent }: AgentPage): AgentStatus | undefined {
  return world.engine.agentDesktop?.statuses().find((one) => one.agent === agent)
}

function agentFaults(shift: BadLuckShift, page: AgentPage): string[] {
  const { agent, voices, wants } = page
  const status = statusOf(shift, page)
  const state = status?.state ?? 'loggedOut'
  const faults: string[] = []
  if (state === 'talking' && voices.length === 0 && !page.isHeld && page.consult === null)
    faults.push(`${agent} talks alone`)
  if (state === 'reserved' && page.consult !== 'asked' && voices.length === 0)
    faults.push(`${agent} is reserved for nobody`)
  if ([...ALONE, 'loggedOut'].includes(state) && voices.length > 0)
    faults.push(`${agent} is ${state} and hears ${voices}`)
  if (state === 'calling') faults.push(`${agent} is still being called`)
  if (state === 'loggedOut' && wants !== 'out') faults.push(`${agent} is logged out (${status?.reason})`)
  if (state === 'paused' && wants === 'ready') faults.push(`${agent} is paused (${status?.reason})`)
  return faults
}

function shownFaults(shift: BadLuckShift, page: AgentPage): string[] {
  const status = statusOf(shift, page)
  const [said, shown] = [status, page.status].map((one) => `${one?.state ?? 'loggedOut'} ${one?.asked}`)
  return said === shown ? [] : [`the page of ${page.agent} shows ${shown}, and the engine has ${said}`]
}

/** A caller waits, and an agent of the team is free. */
function waitingFaults({ world }: BadLuckShift): string[] {
  const desktop = world.engine.agentDesktop!
  const isFree = ({ agent }: AgentStatus, team: TeamName) =>
    desktop.teamsOf(agent).includes(team) && desktop.isSpare(agent)
  return desktop.queues().flatMap(({ team, waiting }) => {
    const free = desktop.statuses().find((one) => isFree(one, team))
    return waiting > 0 && free ? [`${waiting} wait for ${team} while ${free.agent} is free`] : []
  })
}

/** Each session has its leg, up and alone in its own bridge, and nothing else is there. */
function switchFaults({ world, pages }: BadLuckShift): string[] {
  const { legs, bridges } = world.pbx.switch
  const sessions = world.dialerRepository.view.sessions.flatMap(({ session }) =>
    'loggedOutAtMs' in (session.saved as object) ? [] : [session],
  )
  const owned = new Set(sessions.map(({ leg }) => leg))
  const ours = new Set(sessions.map(({ bridge }) => bridge))
  const saved = sessions.map(({ agent }) => agent).sort()
  const there = pages
    .filter(({ status }) => status)
    .map(({ agent }) => agent)
    .sort()
  return [
    ...(String(saved) === String(there) ? [] : [`${saved} are saved as logged in, and ${there} are`]),
    ...sessions.flatMap(({ agent, leg, bridge }) => {
      const has = legs.get(leg)
      const size = bridges.get(bridge)?.members.size
      return has?.isUp && has.bridge === bridge && size === 1
        ? []
        : [`${agent} has ${leg}, up ${has?.isUp}, in ${has?.bridge} and not ${bridge}, of ${size}`]
    }),
    ...[...legs.values()]
      .filter(({ id }) => !owned.has(id))
      .map(({ id, name, bridge }) => `nobody owns the leg ${id} of ${name} in ${bridge}`),
    ...[...bridges.keys()].filter((id) => !ours.has(id)).map((id) => `nobody owns the bridge ${id}`),
  ]
}

function engineFaults({ world, pages }: BadLuckShift): string[] {
  const { engine, logged } = world
  const { callPlacer, recordWriter } = engine.dialer!
  const desktop = engine.agentDesktop!
  const mistakes = logged.filter((line) => MISTAKES.some((words) => line.includes(words)))
  const queues = desktop.queues().flatMap(({ team, waiting, ready }) => {
    const isOfTeam = ({ agent, state }: AgentPage) => state === 'ready' && desktop.teamsOf(agent).includes(team)
    const truth = pages.filter(isOfTeam).length
    return waiting === 0 && ready === truth ? [] : [`${team}: ${waiting} wait, ${ready} ready, in truth ${truth}`]
  })
  const board = world.boards.get(CAMPAIGN)?.live
  const isQuiet = board === undefined || board.inFlight + board.waiting === 0
  return [
    ...mistakes.slice(0, 3).map((line) => `log: ${line.slice(0, 600)}`),
    ...(callPlacer.attempts.count > 0 ? [`the engine still has ${callPlacer.attempts.count} attempts`] : []),
    ...(engine.callCount > 0 ? [`the engine still has ${engine.callCount} calls`] : []),
    ...(recordWriter.pending > 0 ? [`${recordWriter.pending} records are not written`] : []),
    ...(isQuiet ? [] : [`the board of the campaign shows ${JSON.stringify(board)}`]),
    ...queues,
  ]
}
