/** Dispatchers, an outbox and receivers on virtual time. Dispatchers die and stop; the outbox fails and recovers. */
import { WebhookDispatcher } from '../../../src/core/workers/webhook-dispatcher.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { type CorporationId, makeEventId } from '../../../src/kernel/ids.ts'
import type { Log } from '../../../src/kernel/log.ts'
import { type Random, seededRandom } from '../../../src/kernel/random.ts'
import type { DeliveryOutbox } from '../../../src/ports/outbox.ts'
import type { Web } from '../../../src/ports/web.ts'
import type { WebhookEvent } from '../../../src/ports/webhook.ts'
import { secretOf } from '../../../src/webhooks/sign.ts'
import { SimOutbox, type SimOutboxOptions } from '../../sim/sim-outbox.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { type Receiver, Receivers, type Temper } from '../../webhooks/receivers.ts'

const CORPORATION = 1 as CorporationId

/** One line of a log. */
export interface Told {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A dispatcher, and its death. */
export interface LivingDispatcher {
  readonly dispatcher: WebhookDispatcher
  /** Nothing that it does or hears from now on has an effect; its sockets are cut. */
  kill(): void
}

export class DispatcherWorld {
  readonly clock = new VirtualClock()
  readonly outbox: SimOutbox
  readonly receivers: Receivers
  readonly log: Told[] = []
  readonly #random: Random
  readonly #everyMs: number
  #activities = 0

  constructor(seed: number, { everyMs = 1_000, ...options }: Partial<SimOutboxOptions> & { everyMs?: number } = {}) {
    this.#random = seededRandom(seed)
    this.#everyMs = everyMs
    this.outbox = new SimOutbox({ clock: this.clock, random: this.#random, ...options })
    this.receivers = new Receivers(this.clock, this.#random)
  }

  subscribe(temper: Temper): Receiver {
    const number = this.receivers.all.length
    const subscription = this.outbox.subscribe({
      corporation: CORPORATION,
      url: `https://r${number}.example/hook`,
      events: ['phone-call.ended'],
      systemCodes: [],
      secrets: [{ secret: secretOf(new Uint8Array(32).fill(number)) }],
    })
    return this.receivers.add(temper, subscription)
  }

  /** Ends a call. */
  publish(): WebhookEvent {
    const atMs = this.clock.nowMs()
    const event: WebhookEvent = {
      id: makeEventId(atMs, this.#random),
      atMs,
      corporation: CORPORATION,
      environment: 'development',
      type: 'phone-call.ended',
      activity: ++this.#activities,
    }
    this.outbox.publish(event)
    return event
  }

  start(name = 'one', outbox: DeliveryOutbox = this.outbox): LivingDispatcher {
    const life = { isOver: false }
    const sockets = new Set<{ cancel(): void }>()
    const dispatcher = new WebhookDispatcher({
      name,
      random: this.#random,
      userAgent: 'switchboard/test',
      everyMs: this.#everyMs,
      clock: mortalClock(this.clock, life),
      outbox: mortal(outbox, life),
      web: mortalWeb(this.receivers, life, sockets),
      log: this.#logOf(life),
    })
    dispatcher.start()
    const kill = () => {
      life.isOver = true
      for (const socket of sockets) socket.cancel()
    }
    return { dispatcher, kill }
  }

  pass(durationMs: number): Promise<void> {
    return this.clock.runWithPromises(durationMs)
  }

  /** Lets time pass until the outbox is empty; false after a timeout. */
  async passUntilSettled(limitMs: number, stepMs: number): Promise<boolean> {
    const untilMs = this.clock.nowMs() + limitMs
    while (this.clock.nowMs() < untilMs) {
      await this.pass(stepMs)
      if ([...this.outbox.deliveries.values()].every(({ row }) => row.nextAtMs === undefined)) return true
    }
    return false
  }

  /** The texts of a level, each once. */
  received(level: Told['level']): string[] {
    return [...new Set(this.log.filter((line) => line.level === level).map(({ text }) => text))]
  }

  #logOf(life: Life): Log {
    const at = (level: Told['level']) => (fields: object, text: string) => {
      if (!life.isOver) this.log.push({ level, text, fields: { ...fields } })
    }
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as unknown as Log
  }
}

interface Life {
  isOver: boolean
}

function mortalClock(clock: Clock, life: Life): Clock {
  return {
    nowMs: () => clock.nowMs(),
    schedule: (atMs, action) => clock.schedule(atMs, () => (life.isOver ? undefined : action())),
  }
}

/** A sent request is carried out; its answer is lost. */
function mortal(outbox: DeliveryOutbox, life: Life): DeliveryOutbox {
  const never = new Promise<never>(() => {})
  const guarded = <A extends unknown[], T>(method: (...args: A) => Promise<T>) => {
    return (...args: A): Promise<T> => {
      if (life.isOver) return never
      return method(...args).then(
        (answer) => (life.isOver ? never : answer),
        (error) => (life.isOver ? never : Promise.reject(error)),
      )
    }
  }
  return {
    takeLease: guarded((...args) => outbox.takeLease(...args)),
    dropLease: guarded((...args) => outbox.dropLease(...args)),
    hold: guarded((...args) => outbox.hold(...args)),
    due: guarded((...args) => outbox.due(...args)),
    keep: guarded((...args) => outbox.keep(...args)),
    disable: guarded((...args) => outbox.disable(...args)),
    sweep: guarded((...args) => outbox.sweep(...args)),
  }
}

function mortalWeb(web: Web, life: Life, sockets: Set<{ cancel(): void }>): Web {
  return {
    request(request, done) {
      const socket = web.request(request, (answer) => {
        sockets.delete(socket)
        if (!life.isOver) done(answer)
      })
      sockets.add(socket)
      return socket
    },
  }
}
