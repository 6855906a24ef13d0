import type { Clock } from '../kernel/clock.ts'
import { type Random, randomInt } from '../kernel/random.ts'

/** Bounds of a delay in milliseconds, both included. */
export type LatencyMs = readonly [from: number, to: number]

/** One direction of a connection: messages arrive later and in order, or never after a cut. */
export class SimLine {
  readonly #clock: Clock
  readonly #random: Random
  readonly #latencyMs: LatencyMs
  #onTheWay: (() => void)[] = []

  constructor(clock: Clock, random: Random, latencyMs: LatencyMs) {
    this.#clock = clock
    this.#random = random
    this.#latencyMs = latencyMs
  }

  send(arrives: () => void): void {
    const onTheWay = this.#onTheWay
    onTheWay.push(arrives)
    const atMs = this.#clock.nowMs() + randomInt(this.#random, ...this.#latencyMs)
    // Each timer carries the oldest message, which keeps the order, like one socket.
    this.#clock.schedule(atMs, () => onTheWay.shift()?.())
  }

  cut(): void {
    this.#onTheWay.length = 0
    this.#onTheWay = []
  }
}
