/**
 * Many desks through many calls, on a real switch: each agent's browser is their phone. Every outcome is saved by the
 * keyboard; then what people, desks and node say of each call is compared, and no page may have grown.
 */
import type { CarrierContact } from '../../../../demo/sip/sip-carrier.ts'
import type { PhoneNumber } from '../../../../src/kernel/ids.ts'
import { type Random, randomInt, randomOf, seededRandom } from '../../../../src/kernel/random.ts'
import {
  type AttemptOut,
  attemptsOf,
  becomesTrue,
  importTasks,
  isSwitchQuiet,
  leftOn,
} from '../../../e2e/campaign-live.ts'
import { AGENT_HZ, openPhonePlace, type PhonePlace } from '../../../e2e/phones/phone-place.ts'
import type { Growth } from '../../../support/page-memory.ts'
import { newPassword } from '../../console-place.ts'
import { deskGrowth, growthFaults, type HeldLook } from './desk-growth.ts'
import { type SoakAttempt, type SoakCounts, shownNameOf, soakCounts } from './desk-verdict.ts'
import { type News, openSoakDesk, type SoakContact, type SoakDesk } from './soak-desk.ts'

export interface DeskSoakPlan {
  readonly desks: number
  readonly calls: number
  /** Until the agent ends a call; a callee who does it takes `LONGER_MS` more. */
  readonly talkSeconds: number
  readonly seed: number
}

export interface DeskSoak {
  readonly saved: number
  readonly minutes: number
  readonly counts: SoakCounts
  /** What broke no count: a desk that stands still, what a page logged, what grew, what the switch has left. */
  readonly faults: readonly string[]
  /** Desk → what it held early and late; undefined: it took too few calls to say. */
  readonly growths: ReadonlyMap<string, Growth | undefined>
  readonly looks: ReadonlyMap<string, readonly HeldLook[]>
  readonly news: readonly News[]
}

const OUTCOMES = ['Promised', 'Paid', 'Refused'] as const
/** An outcome that is chosen in the call is saved before the callee hangs up. */
const LONGER_MS = 2_000
const FIRST_NUMBER = 20_100_000
const LOOKS_A_DESK = 16
const PROGRESS_EVERY_MS = 30_000
const TASKS_A_SEARCH = 500
/** U25: the phone's own, and one that takes its place. */
const PEERS_MAX = 2

/** Runs it on a place of its own. `SWITCHBOARD_TEST_TREE` names the Asterisk. */
export async function runDeskSoak(plan: DeskSoakPlan, onLine: (line: string) => void): Promise<DeskSoak> {
  const names = Array.from({ length: plan.desks }, (_, at) => `desk${at + 1}`)
  const place = await openPhonePlace(names)
  try {
    return await new DeskSoakRun(place, plan, onLine).run(names)
  } finally {
    await place.close()
  }
}

class DeskSoakRun {
  readonly #place: PhonePlace
  readonly #plan: DeskSoakPlan
  readonly #onLine: (line: string) => void
  readonly #contacts: ReadonlyMap<string, SoakContact>
  readonly #desks: SoakDesk[] = []
  /** Those who were reached, by their number. */
  readonly #reached = new Map<string, CarrierContact>()
  readonly #faults: string[] = []
  readonly #startedAtMs: number

  constructor(place: PhonePlace, plan: DeskSoakPlan, onLine: (line: string) => void) {
    this.#place = place
    this.#plan = plan
    this.#onLine = onLine
    this.#startedAtMs = place.it.kit.clock.nowMs()
    const contacts = contactsOf(plan.calls, seededRandom(plan.seed))
    this.#contacts = new Map(contacts.map((contact) => [shownNameOf(contact.caseNumber), contact]))
  }

  async run(names: readonly string[]): Promise<DeskSoak> {
    const { it } = this.#place
    const { clock } = it.kit
    const browser = await this.#place.openBrowser()
    try {
      for (const name of names) {
        const password = await newPassword(name, it.place.env)
        const url = it.place.settings.endpoint
        this.#desks.push(await openSoakDesk({ clock, name, password, url, page: await browser.page() }))
      }
      this.#onLine(`${names.length} desks are ready`)
      const ids = await this.#dial()
      await this.#work()
      const attempts = await this.#attempts(ids)
      await this.#end(names)
      return this.#result(attempts)
    } finally {
      await browser.close()
    }
  }

  get #saved(): number {
    return this.#desks.reduce((sum, { saved }) => sum + saved.length, 0)
  }

  /** How long the callee has heard the agent. */
  #heardMs(number: string): number {
    return this.#reached.get(number)?.ear.heardTone(AGENT_HZ) ?? 0
  }

  get #talkMs(): number {
    return this.#plan.talkSeconds * 1_000
  }

  get #minutes(): number {
    return (this.#place.it.kit.clock.nowMs() - this.#startedAtMs) / 60_000
  }

  /** A campaign with its outcomes, and all its people. Returns the ids of the call tasks by case number. */
  async #dial(): Promise<ReadonlyMap<string, number>> {
    const { it } = this.#place
    const callCode = await this.#place.campaign({ wrapUpSeconds: 300, script: 'Is this {name}?' })
    for (const [at, name] of OUTCOMES.entries()) {
      const body = { name, key: String(at + 1), final: true }
      await it.client.ask('POST /dialer/callcode/{callCode}/outcomes', { params: { callCode: String(callCode) }, body })
    }
    const contacts = [...this.#contacts.values()]
    for (const { number, endsBy } of contacts) {
      // Who is left by their agent stays on the line.
      const isLeft = endsBy === 'agent'
      const person = { does: 'answer', ringsAfterMs: 0, afterMs: 300 } as const
      const reached = this.#place.meets(
        number as PhoneNumber,
        isLeft ? person : Object.assign({ hangsUpAfterMs: this.#talkMs + LONGER_MS }, person),
      )
      void reached.then((one) => this.#reached.set(number, one))
    }
    const tasks = contacts.map(({ number, caseNumber }) => ({ numbers: [number], caseNumber }))
    const ids: number[] = []
    // So many pages that draw their first call at once are more than one machine for all of them can do.
    for (const task of tasks.slice(0, this.#plan.desks)) {
      ids.push(...(await importTasks(it.client, callCode, [task])))
      await becomesTrue(it.kit.clock, () => this.#heardMs(task.numbers[0]!) > 0)
    }
    const rest = tasks.slice(ids.length)
    if (rest.length > 0) ids.push(...(await importTasks(it.client, callCode, rest)))
    return new Map(contacts.map(({ caseNumber }, at) => [caseNumber, ids[at]!]))
  }

  /** All desks at once, until every call is saved or they wait in vain. */
  async #work(): Promise<void> {
    const { clock } = this.#place.it.kit
    const { calls, desks } = this.#plan
    const lookEvery = Math.max(1, Math.floor(calls / desks / LOOKS_A_DESK))
    let isDone = false
    const tell = () => {
      if (isDone) return
      const faults = this.#desks.flatMap((desk) => desk.faults).length
      this.#onLine(`${this.#minutes.toFixed(1)} min: ${this.#saved} of ${calls} calls saved, ${faults} faults`)
      clock.schedule(clock.nowMs() + PROGRESS_EVERY_MS, tell)
    }
    tell()
    const take = (shownName: string) => this.#contacts.get(shownName)
    const isOver = () => this.#saved >= calls
    // A page that does not answer ends the work of its own desk.
    const works = this.#desks.map((desk) =>
      desk
        .work(take, { lookEvery, isOver, talkMs: this.#talkMs })
        .catch((error: unknown) => void desk.faults.push(String(error))),
    )
    await Promise.all(works)
    isDone = true
    await Promise.all(this.#desks.map((desk) => desk.look()))
    this.#onLine(`${this.#minutes.toFixed(1)} min: ${this.#saved} of ${calls} calls saved`)
  }

  /** By case number, once all of them are over. */
  async #attempts(ids: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, readonly SoakAttempt[]>> {
    const { client, kit } = this.#place.it
    const all = [...ids.values()]
    let found: readonly AttemptOut[] = []
    await becomesTrue(kit.clock, async () => {
      const parts: AttemptOut[][] = []
      for (let from = 0; from < all.length; from += TASKS_A_SEARCH) {
        parts.push([...(await attemptsOf(client, all.slice(from, from + TASKS_A_SEARCH)))])
      }
      found = parts.flat()
      return found.length >= all.length && found.every(({ endTs }) => endTs !== null)
    })
    const byTask = Map.groupBy(found, ({ itcaId }) => itcaId)
    return new Map([...ids].map(([caseNumber, itcaId]) => [caseNumber, byTask.get(itcaId) ?? []]))
  }

  /** The shifts end, and with them every leg: whatever the switch still has is a ghost. */
  async #end(names: readonly string[]): Promise<void> {
    const { it } = this.#place
    for (const desk of this.#desks) {
      const peers = await desk.openPeers()
      if (peers > PEERS_MAX) this.#faults.push(`a page has ${peers} open connections of its phone`)
    }
    for (const name of names) await it.order(name, { type: 'logOut' })
    if (await becomesTrue(it.kit.clock, () => isSwitchQuiet(it.place))) return
    const { channels, bridges } = (await leftOn(it.place)) as Record<string, readonly unknown[]>
    this.#faults.push(`the switch has ${channels?.length} channels and ${bridges?.length} bridges left`)
  }

  #result(attempts: ReadonlyMap<string, readonly SoakAttempt[]>): DeskSoak {
    const invites = this.#place
      .invites()
      .map((invite) => Object.assign({ heardMs: this.#heardMs(invite.number) }, invite))
    const growths = new Map(this.#desks.map(({ name, looks }) => [name, deskGrowth(looks)]))
    return {
      saved: this.#saved,
      minutes: this.#minutes,
      counts: soakCounts([...this.#contacts.values()], this.#desks, attempts, invites),
      faults: [
        ...this.#faults,
        ...this.#desks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
        ...[...growths].flatMap(([name, growth]) =>
          (growth ? growthFaults(growth) : []).map((one) => `${name}: ${one}`),
        ),
      ],
      looks: new Map(this.#desks.map(({ name, looks }) => [name, looks])),
      growths,
      news: this.#desks.flatMap(({ news }) => news),
    }
  }
}

/** Each with an outcome, and a way in which the call ends, by chance. */
function contactsOf(calls: number, random: Random): SoakContact[] {
  return Array.from({ length: calls }, (_, at) => {
    const place = randomInt(random, 0, OUTCOMES.length - 1)
    const endsBy = randomOf(random, ['agent', 'callee'] as const)
    return {
      number: `+45${FIRST_NUMBER + at}`,
      caseNumber: `C-${at + 1}`,
      outcome: OUTCOMES[place]!,
      key: String(place + 1),
      note: `about C-${at + 1}`,
      endsBy,
      // The callee might hang up between the two keys.
      isSavedInCall: endsBy === 'agent' && randomInt(random, 1, 3) === 1,
    }
  })
}
