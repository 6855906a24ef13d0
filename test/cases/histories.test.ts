/** Random histories of three cases, compared with a small model of the contract. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseState } from '../../src/cases/case-state.ts'
import { endHold, takeUpdate } from '../../src/cases/case-updates.ts'
import { changeCase } from '../../src/cases/change-case.ts'
import { mergeCases, unmergeCases } from '../../src/cases/merge.ts'
import type { ActivityId } from '../../src/kernel/ids.ts'
import type { CaseLog, CaseStatus, MemberChange } from '../../src/ports/cases.ts'
import { CUSTOMS, changerOf, customOf, LISTS, NOON, stateOf } from './case-samples.ts'

const IDS = [1, 2, 3] as ActivityId[]
const CUSTOM_IDS = [1, 2, 3, 4, 6, 7, 8, 11, 12]

/** The contract's view of a case, as numbers. */
interface Model {
  status: number
  custom: number
  lastOpen: number
  holdUntil: number | null
  assigned: number | null
  into: number | null
  before: number
}

const step = fc.record({
  place: fc.nat(2),
  other: fc.nat(2),
  isAdmin: fc.boolean(),
  afterMs: fc.integer({ min: 0, max: 40_000 }),
  kind: fc.constantFrom('status', 'custom', 'both', 'incoming', 'ours', 'time', 'assign', 'merge', 'unmerge'),
  status: fc.constantFrom(1, 2, 3, 4, 6, 7, 8),
  custom: fc.constantFrom(...CUSTOM_IDS),
  holdMs: fc.integer({ min: -10_000, max: 60_000 }),
  user: fc.constantFrom(7, 8, null),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const internal = (custom: number) => customOf(custom).status as number
const endOf = (models: readonly Model[], place: number): number => {
  const into = models[place]?.into ?? null
  return into === null ? place : endOf(models, into)
}

/** Applies a step to the model; false: the contract forbids it. */
function expected(models: Model[], { place, other, isAdmin, kind, ...rest }: Step, nowMs: number): boolean {
  const at = kind === 'incoming' || kind === 'ours' ? endOf(models, place) : place
  const model = models[at] as Model
  const turn = (custom: number) => {
    model.custom = custom
    model.status = internal(custom)
    if (model.status === 1) model.lastOpen = custom
    if (model.status !== 8) model.holdUntil = null
  }
  const byHand = (custom: number): boolean => {
    const to = internal(custom)
    if (model.status === 5) return false
    if (model.status === 4 && to !== 4 && !(isAdmin && (to === 1 || to === 2))) return false
    if (model.status === 4 && to === 4 && custom !== model.custom) return false
    if (to === 8 && rest.holdMs <= 0) return false
    turn(custom)
    if (to === 8) model.holdUntil = nowMs + rest.holdMs
    return true
  }
  switch (kind) {
    case 'status':
      return byHand(rest.status === model.status ? model.custom : rest.status)
    case 'custom':
      return byHand(rest.custom)
    case 'both':
      return byHand(internal(rest.custom) === rest.status ? rest.custom : rest.status)
    case 'incoming':
      if (model.status === 2 || model.status === 3) turn(model.lastOpen)
      return true
    case 'ours':
      return true
    case 'time':
      if (model.status === 8 && (model.holdUntil ?? 0) <= nowMs) turn(model.lastOpen)
      return true
    case 'assign':
      if ((model.status === 5 || model.status === 4) && model.assigned !== rest.user) return false
      model.assigned = rest.user
      return true
    case 'merge': {
      const into = endOf(models, other)
      if (model.status === 5 || model.status === 4 || into === place || models[into]?.status === 4) return false
      Object.assign(model, { before: model.custom, into })
      turn(5)
      return true
    }
    case 'unmerge':
      if (model.status !== 5 || !isAdmin || models[endOf(models, place)]?.status === 4) return false
      model.into = null
      turn(internal(model.before) === 8 ? model.lastOpen : model.before)
      return true
  }
}

/** Applies a step by the rules; false: they refused. */
function carriedOut(states: CaseState[], { place, other, isAdmin, kind, ...rest }: Step, nowMs: number): boolean {
  const chain = (at: number): number => {
    const into = states[at]?.record.merged?.into
    return into === undefined ? at : chain(IDS.indexOf(into))
  }
  const by = changerOf({ isAdmin, nowMs })
  const at = kind === 'incoming' || kind === 'ours' ? chain(place) : place
  const state = states[at] as CaseState
  const keep = (at: number, { state, logs }: { state: CaseState; logs: readonly CaseLog[] }) => {
    checkStep(states[at] as CaseState, state, logs)
    states[at] = state
  }
  if (kind === 'incoming' || kind === 'ours' || kind === 'time') {
    const update = { isExternal: kind === 'incoming', atMs: nowMs }
    const turned = kind === 'time' ? endHold(state.record, CUSTOMS, nowMs) : takeUpdate(state.record, update, CUSTOMS)
    keep(at, { state: { ...state, record: turned.record }, logs: turned.logs })
    return true
  }
  if (kind === 'merge' || kind === 'unmerge') {
    const into = kind === 'merge' ? chain(other) : chain(place)
    const judge = kind === 'merge' ? mergeCases : unmergeCases
    const judged = judge(state, states[into] as CaseState, LISTS, by)
    if (!judged.ok) return false
    keep(place, judged.source)
    keep(into, judged.target)
    return true
  }
  const member = { role: 1, user: rest.user, extension: null, isActive: true } as MemberChange
  const status = { status: rest.status as CaseStatus }
  const custom = { custom: customOf(rest.custom).id }
  const to = kind === 'status' ? rest.status : internal(rest.custom)
  const isHold = kind !== 'assign' && (kind === 'both' ? rest.status : to) === 8
  const inputs = { status, custom, both: { ...status, ...custom }, assign: { members: [member] } }
  const judged = changeCase(state, { ...inputs[kind], ...(isHold && { holdUntilMs: nowMs + rest.holdMs }) }, LISTS, by)
  if (!judged.ok) return false
  keep(place, judged)
  return true
}

/** Invariants of every single change. */
function checkStep(before: CaseState, after: CaseState, logs: readonly CaseLog[]) {
  const [was, is] = [before.record, after.record]
  expect(is.status).toBe(customOf(is.custom).status)
  // INV-C2: each change of status has one log, which records what happened.
  const moves = logs.filter(({ what }) => what === 'status')
  if (was.custom !== is.custom) expect(moves).toHaveLength(1)
  for (const { was: from, becomes } of moves) {
    expect(from).toMatchObject({ custom: was.custom })
    expect(becomes).toMatchObject({ custom: is.custom })
  }
  expect(is.version).toBe(was.version + Math.sign(logs.length))
  expect(is.updatedAtMs > was.updatedAtMs).toBe(logs.length > 0)
  expect(is.customChangedAtMs > was.customChangedAtMs).toBe(was.custom !== is.custom)
  for (const role of [1, 20]) {
    const active = after.members.filter((member) => member.role === role && member.endedAtMs === null)
    expect(active.length).toBeLessThanOrEqual(1)
  }
  expect(is.status === 8).toBe(is.holdUntilMs !== null)
  expect(is.status === 5).toBe(is.merged !== null)
}

test('cases follow the contract in any order of events', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
      const states = IDS.map((id) => stateOf({ id }))
      const models = IDS.map(
        (): Model => ({ status: 1, custom: 1, lastOpen: 1, holdUntil: null, assigned: null, into: null, before: 0 }),
      )
      let nowMs = NOON + 1
      for (const one of steps) {
        nowMs += one.afterMs
        expect(carriedOut(states, one, nowMs), JSON.stringify(one)).toBe(expected(models, one, nowMs))
        const seen = states.map(({ record, members }) => ({
          status: record.status,
          custom: record.custom,
          lastOpen: record.lastOpen,
          holdUntil: record.holdUntilMs,
          assigned: members.find(({ role, endedAtMs }) => role === 1 && endedAtMs === null)?.user ?? null,
          into: record.merged ? IDS.indexOf(record.merged.into) : null,
        }))
        expect(seen).toEqual(models.map(({ before, ...model }) => model))
      }
    }),
    { numRuns: 1_000 },
  )
})
