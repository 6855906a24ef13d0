/** Clients that make, merge, comment on and change the same cases at once; some go away before they are answered. */
import { type Random, randomInt, randomOf, seededRandom } from '../../src/kernel/random.ts'
import { CaseDiary, type Outcome } from './case-diary.ts'

/** Where they go, and how many they are. */
interface StormPlan {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly clients: number
  readonly seed: number
  /** Whether to send one more request; `made` is the number sent by all clients. */
  readonly goesOn: (made: number) => boolean
  /** Whether the benchmark cuts database connections of the server: then responses may be 503. */
  readonly mayBeUnavailable: boolean
}

/** A client that goes away does so within this time. */
const PATIENCE_MS_MAX = 20
const TOMORROW_MS = 86_400_000
const TRIES_MAX = 500
/** Where a case is looked for that is not there. */
const NOBODYS = 999_999_999
/** Statuses that clients set by request; 4 and 5 have requests of their own. */
const STATUSES = [1, 2, 3, 6, 7, 8] as const

/** Lets them loose, and gives what they were told. */
export async function caseStorm(plan: StormPlan): Promise<CaseDiary> {
  const diary = new CaseDiary()
  let made = 0
  const one = async (place: number) => {
    const client = new Client(plan, diary, place)
    while (plan.goesOn(made)) {
      made++
      diary.counts[await client.request()]++
    }
  }
  await Promise.all(Array.from({ length: plan.clients }, (_, place) => one(place)))
  return diary
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark checks the body
  readonly body: any
}

interface Sending {
  readonly key?: string
  readonly ifMatch?: string
  /** The client is gone after so long. */
  readonly patienceMs?: number
}

const CASE = '/rest/svcems/case'

class Client {
  readonly #plan: StormPlan
  readonly #diary: CaseDiary
  readonly #place: number
  readonly #random: Random
  #count = 0

  constructor(plan: StormPlan, diary: CaseDiary, place: number) {
    this.#plan = plan
    this.#diary = diary
    this.#place = place
    this.#random = seededRandom(plan.seed * 1_000 + place)
  }

  /** One random request. */
  request(): Promise<Outcome> {
    if (this.#diary.etags.size < 4) return this.#create()
    const chance = this.#random.next()
    if (chance < 0.25) return this.#create()
    if (chance < 0.33) return this.#createImpatiently()
    if (chance < 0.38) return this.#createWrongly()
    if (chance < 0.53) return this.#merge()
    if (chance < 0.68) return this.#comment()
    if (chance < 0.78) return this.#moveStatus()
    if (chance < 0.93) return this.#retitle()
    return this.#read()
  }

  /** A unique text, to find it again in logs. */
  #words(what: string): string {
    return `${what} ${this.#plan.seed}-${this.#place}-${this.#count++}`
  }

  #anyCase(): number {
    const ids = [...this.#diary.etags.keys()]
    // The newest are the busiest.
    return ids[ids.length - randomInt(this.#random, 1, Math.min(ids.length, 40))]!
  }

  async #create(): Promise<Outcome> {
    return this.#noteCreated(await this.#send(CASE, newCase(this.#words('case'))))
  }

  /** Goes away before the answer comes, and asks again under the same key: there is one case, whatever happened. */
  async #createImpatiently(): Promise<Outcome> {
    const body = newCase(this.#words('case'))
    const key = this.#words('key').replaceAll(' ', '-')
    const patienceMs = randomInt(this.#random, 0, PATIENCE_MS_MAX)
    let answer = await this.#send(CASE, body, { key, patienceMs })
    // Refused while the first one is still being carried out.
    for (let tries = 0; answer === 'cut' || answer.status === 409; tries++) {
      // Where the database went away before the answer was kept, the key stays taken for minutes.
      if (tries > TRIES_MAX && this.#plan.mayBeUnavailable) return 'cut'
      answer = await this.#send(CASE, body, { key })
    }
    return this.#noteCreated(answer)
  }

  #noteCreated(answer: Answer | 'cut'): Outcome {
    if (answer === 'cut' || !this.#is(answer, [200])) return 'cut'
    const { eactId, seqNo, description } = answer.body
    this.#diary.numbers.set(eactId, seqNo)
    this.#diary.titles.add(description)
    this.#diary.noteVersion(eactId, answer.headers.get('etag')!)
    return 'created'
  }

  /** Refused before its number is taken, or after. */
  async #createWrongly(): Promise<Outcome> {
    const wrongs = [
      { description: ' ' },
      { queue: { ucquId: NOBODYS } },
      { status: 5 },
      { category: { ctnoId: NOBODYS } },
    ]
    const answer = await this.#send(CASE, { ...newCase('never there'), ...randomOf(this.#random, wrongs) })
    return answer !== 'cut' && this.#is(answer, [400]) ? 'refused' : 'cut'
  }

  async #merge(): Promise<Outcome> {
    const [eactId, target] = [this.#anyCase(), this.#anyCase()]
    const answer = await this.#send(CASE, { eactId, mergedTo: { eactId: target } }, this.#sometimesGone())
    if (answer === 'cut' || !this.#is(answer, [200, 400, 409])) return 'cut'
    if (answer.status !== 200) return 'refused'
    // Merged into the same case before: nothing changed, and the answer is that case.
    if (answer.body.eactId === eactId) this.#diary.noteVersion(eactId, answer.headers.get('etag')!)
    return 'merged'
  }

  async #comment(): Promise<Outcome> {
    const [eactId, text] = [this.#anyCase(), this.#words('text')]
    const body = { text, activity: { eactId }, external: this.#random.next() < 0.3 }
    const answer = await this.#send('/rest/svcems/activitytexts', body, this.#sometimesGone())
    if (answer === 'cut' || !this.#is(answer, [200, 409])) return 'cut'
    if (answer.status === 200) this.#diary.comments.add(text)
    return answer.status === 200 ? 'commented' : 'refused'
  }

  async #moveStatus(): Promise<Outcome> {
    const status = this.#random.next() < 0.05 ? 4 : randomOf(this.#random, STATUSES)
    const hold = status === 8 ? { onHoldToTs: Date.now() + TOMORROW_MS } : {}
    const answer = await this.#send(CASE, { eactId: this.#anyCase(), status, ...hold }, this.#sometimesGone())
    if (answer === 'cut' || !this.#is(answer, [200, 400, 403, 409])) return 'cut'
    return answer.status === 200 ? 'changed' : 'refused'
  }

  /** Half of them only if no other client was faster: many are refused. */
  async #retitle(): Promise<Outcome> {
    const [eactId, description] = [this.#anyCase(), this.#words('title')]
    const ifMatch = this.#random.next() < 0.5 ? this.#diary.etags.get(eactId)! : '*'
    const answer = await this.#send(CASE, { eactId, description }, { ifMatch, ...this.#sometimesGone() })
    if (answer === 'cut' || !this.#is(answer, [200, 409, 412])) return 'cut'
    if (answer.status !== 200) return 'refused'
    this.#diary.titles.add(description)
    // A change of a merged case is one of the case that it went to.
    this.#diary.noteVersion(answer.body.eactId, answer.headers.get('etag')!)
    return 'changed'
  }

  async #read(): Promise<Outcome> {
    const eactIds = [this.#anyCase(), this.#anyCase()]
    const answer = await this.#send('/rest/svcems/cases/search', { eactIds })
    if (answer === 'cut' || !this.#is(answer, [200])) return 'cut'
    for (const { eactId, status, emsStatus } of answer.body) {
      if (status === emsStatus.internalStatus) continue
      this.#diary.faults.push(`INV-C1: case ${eactId} is shown as ${status} and ${emsStatus.internalStatus}`)
    }
    return 'read'
  }

  #sometimesGone(): Sending {
    return this.#random.next() < 0.1 ? { patienceMs: randomInt(this.#random, 0, PATIENCE_MS_MAX) } : {}
  }

  /** Whether it is one of the answers that there can be; `cut` is no fault where connections are taken away. */
  #is({ status, body }: Answer, expected: readonly number[]): boolean {
    if (expected.includes(status)) return true
    const isNotNow = status === 503 && this.#plan.mayBeUnavailable
    if (!isNotNow) this.#diary.faults.push(`an answer ${status}: ${JSON.stringify(body).slice(0, 300)}`)
    return false
  }

  async #send(path: string, body: object, { key, ifMatch, patienceMs }: Sending = {}): Promise<Answer | 'cut'> {
    const { url, headers } = this.#plan
    const sentAtMs = performance.now()
    try {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        body: JSON.stringify(body),
        ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
      })
      const read: unknown = await answer.json()
      this.#diary.timesMs.push(performance.now() - sentAtMs)
      return { status: answer.status, headers: answer.headers, body: read }
    } catch (error) {
      if (patienceMs === undefined) throw error
      return 'cut'
    }
  }
}

function newCase(description: string) {
  return { description, status: 1, corporation: { corpId: 1 } }
}
