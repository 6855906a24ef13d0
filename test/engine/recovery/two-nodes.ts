/** Two nodes that share the database alone. */
import type { DialerOptions, EngineDependencies } from '../../../src/engine/context.ts'
import { Engine } from '../../../src/engine/loop/engine.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { SimPbx } from '../../../src/sim/sim-pbx.ts'
import { CampaignWorld, type CampaignWorldOptions, numberOf, STAYS } from '../../worlds/campaign-world.ts'
import { staffOf } from '../../worlds/set-up.ts'

/** Rings and rings. */
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }

/** Anna and Ben are on the first node, which does not reach the database until `cutOff` is over. */
export async function twoNodes(
  first: Contact,
  cutOff = { untilAtMs: 0 },
  options: CampaignWorldOptions = {},
): Promise<CampaignWorld> {
  const { world, startSecond } = await firstNode(first, cutOff, options)
  await startSecond()
  await world.logIn('anna', 'ben')
  return world
}

/** The second node is not there yet, and nobody has logged in. */
export async function firstNode(
  first: Contact,
  cutOff: { readonly untilAtMs: number },
  options: CampaignWorldOptions = {},
): Promise<{ readonly world: CampaignWorld; readonly startSecond: (own?: Partial<DialerOptions>) => Promise<Engine> }> {
  let usual: EngineDependencies | undefined
  const world: CampaignWorld = new CampaignWorld({
    teams: { collections: ['anna', 'ben'] },
    contactOf: (number) => (number === numberOf(0) ? first : RINGS),
    ...options,
    parts: (all) => {
      const parts = options.parts?.(all)
      usual ??= { ...all, ...parts }
      const dialerRepository = reached(all.dialer!.dialerRepository, () => world.clock.nowMs() >= cutOff.untilAtMs)
      return { ...parts, dialer: { ...(parts?.dialer ?? all.dialer!), dialerRepository } }
    },
  })
  await world.campaign()
  await world.start()
  return { world, startSecond: (own) => secondNode(world, usual!, own) }
}

/** The database as a node reaches it, or does not. */
function reached<T extends object>(database: T, isReached: () => boolean): T {
  return new Proxy(database, {
    get(_, name) {
      const value = database[name as keyof T]
      if (typeof value !== 'function' || name === 'onNotification') return value
      const cut = () => Promise.reject(new DatabaseUnavailable('this node is cut off'))
      return (...asked: unknown[]) => (isReached() ? value.apply(database, asked) : cut())
    },
  })
}

async function secondNode(
  world: CampaignWorld,
  usual: EngineDependencies,
  own: Partial<DialerOptions> = {},
): Promise<Engine> {
  const { clock, dialerRepository, flowEvents } = world
  const contactOf = () => RINGS
  const pbx = new SimPbx({ clock, random: seededRandom(2), carrier: { trunks: { main: {} }, contactOf } })
  const spool = { append: () => {}, read: () => [], clear: () => {}, setAside: () => {} }
  const dialer = { ...usual.dialer!, dialerRepository, flowEvents, spool, node: 'two', ...own }
  const staff = staffOf({ collections: ['carl'] })
  for (const agent of staff.agents.keys()) pbx.agentPhone(agent, STAYS)
  const engine = new Engine({ ...usual, clock, pbx, dialer }, { numbers: new Map(), staff })
  await world.during(engine.prepare())
  await pbx.start()
  engine.begin()
  return engine
}
