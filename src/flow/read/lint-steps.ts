/** Rules about single steps: keys that each kind allows (flow-language.md 3.2, 3.3). */
import { didYouMean, nearest, type Problem } from '../../kernel/file-problem.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import type { Step } from '../model/flow.ts'
import { aStep, isStatusEnd, LIMIT_END, STEP_KINDS } from '../model/kinds.ts'
import { error, errorAtKey, type Rule, type Subject } from './lint-subject.ts'
import { step as stepShape } from './schema-steps.ts'

/** `next`, `on`, `as` and `limit` fit the kind of the step. */
export const lintSteps: Rule = (subject) => {
  return [...subject.flow.steps.values()].flatMap((step) => [
    ...wayOn(subject, step),
    ...ends(subject, step),
    ...result(subject, step, ['steps', step.name]),
    ...limit(subject, step),
  ])
}

/** Steps after the hang-up need no caller, run in order, and lead nowhere. */
export const lintAfterHangup: Rule = (subject) => {
  return subject.flow.onHangup.flatMap((step, index) => {
    const path = ['onHangup', index]
    if (!STEP_KINDS[step.kind].afterHangup) {
      return [
        error(subject, path, `onHangup allows http, sms, doNotCall and set steps only; remove ${aStep(step.kind)}`),
      ]
    }
    const leads = (['next', 'limit'] as const).filter((key) => step[key] !== undefined)
    if (Object.keys(step.on).length > 0)
      return [errorAtKey(subject, [...path, 'on'], 'steps of onHangup run in order; remove on')]
    const led = leads.map((key) => errorAtKey(subject, [...path, key], `steps of onHangup run in order; remove ${key}`))
    const waits =
      step.kind === 'sms' && step.spec.awaitDeliveryMs !== undefined
        ? [
            errorAtKey(
              subject,
              [...path, 'sms', 'awaitDelivery'],
              'nobody waits after the hang-up; remove awaitDelivery',
            ),
          ]
        : []
    return [...led, ...waits, ...result(subject, step, path)]
  })
}

function wayOn(subject: Subject, step: Step): Problem[] {
  const goesOnBy = goesOn(step)
  const path = ['steps', step.name]
  if (goesOnBy === 'next') {
    if (step.next !== undefined || hasMisspeltNext(subject, step)) return []
    return [errorAtKey(subject, path, `step "${step.name}" has no next step; add next`)]
  }
  if (step.next === undefined) return []
  return [errorAtKey(subject, [...path, 'next'], `${aStep(step.kind)} continues by ${goesOnBy}; remove next`)]
}

/** After a blind transfer the other network has the caller. */
function goesOn(step: Step): string {
  const isGone = step.kind === 'transfer' && step.spec.mode === 'blind'
  return isGone ? 'nothing when it is blind: the call is over' : STEP_KINDS[step.kind].goesOnBy
}

/** The key is reported as unknown; the missing `next` is no second mistake. */
function hasMisspeltNext({ reading }: Subject, { name }: Step): boolean {
  const known = Object.keys(stepShape.properties)
  const keys = Object.keys(reading.source.valueAt(['steps', name]) as object)
  return keys.some((key) => !known.includes(key) && nearest(key, known) === 'next')
}

function ends(subject: Subject, step: Step): Problem[] {
  const known = STEP_KINDS[step.kind].ends
  return Object.keys(step.on).flatMap((end) => {
    const path = ['steps', step.name, 'on', end]
    if (end === LIMIT_END || known.includes(end)) return []
    if (known.length === 0) return [errorAtKey(subject, path, `${aStep(step.kind)} never fails; remove "${end}"`)]
    if (step.kind === 'http' && isStatusEnd(end)) return []
    if (step.kind === 'http' && end === '404')
      return [errorAtKey(subject, path, 'status 404 has the name notFound; write notFound')]
    const choices = `it can end with ${known.join(', ')}${step.kind === 'http' ? ' or a status such as 409' : ''}`
    const message = `${aStep(step.kind)} never ends with "${end}"; ${choices}${didYouMean(end, known)}`
    return [errorAtKey(subject, path, message)]
  })
}

function result(subject: Subject, step: Step, path: Path): Problem[] {
  if (step.as === undefined || STEP_KINDS[step.kind].gives !== undefined) return []
  const givers = Object.entries(STEP_KINDS).filter(([, kind]) => kind.gives !== undefined)
  const names = givers.map(([name]) => name).join(', ')
  return [
    errorAtKey(
      subject,
      [...path, 'as'],
      `${aStep(step.kind)} has no result; remove as, which only ${names} steps have`,
    ),
  ]
}

function limit(subject: Subject, step: Step): Problem[] {
  const path = ['steps', step.name]
  const hasEnd = LIMIT_END in step.on
  if (step.limit !== undefined && !hasEnd) {
    return [
      errorAtKey(
        subject,
        [...path, 'limit'],
        `the way on after ${step.limit} ${step.limit === 1 ? 'visit' : 'visits'} is missing; add on: { limit: … }`,
      ),
    ]
  }
  if (step.limit === undefined && hasEnd) {
    return [
      errorAtKey(
        subject,
        [...path, 'on', LIMIT_END],
        'the step has no limit; add limit: with the maximum of visits, or remove this',
      ),
    ]
  }
  return []
}
