/** What a flow costs at least: its graph as a plain XState machine, which says, waits and records nothing. */
import { createActor, createMachine } from 'xstate'
import { allEdgesOf } from '../../src/flow/model/edges.ts'
import type { Flow } from '../../src/flow/model/flow.ts'

/** The steps of one call, in their order. */
export type Course = readonly string[]

/** One state a step, one event a target. `courses`: ways that no edge names, such as `onHangup`. */
export function bareMachine(flow: Flow, courses: readonly Course[]) {
  const targets = new Map([...flow.steps.values()].map((step) => [step.name as string, new Set<string>()]))
  for (const step of flow.steps.values()) {
    for (const { to } of allEdgesOf(step, flow)) targets.get(step.name)!.add(to)
  }
  for (const course of courses) {
    for (const [at, to] of course.slice(1).entries()) targets.get(course[at]!)!.add(to)
  }
  const state = (names: ReadonlySet<string>) => ({ on: Object.fromEntries([...names].map((name) => [name, name])) })
  const states = Object.fromEntries([...targets].map(([name, names]) => [name, state(names)]))
  return createMachine({ initial: flow.start, states })
}

/** Leads one call along its course, as any user of XState would. */
export function runBare(machine: ReturnType<typeof bareMachine>, course: Course): void {
  const actor = createActor(machine).start()
  for (const type of course.slice(1)) actor.send({ type })
  if (actor.getSnapshot().value !== course.at(-1)) throw new Error(`the bare machine left ${course.join(' ')}`)
  actor.stop()
}
