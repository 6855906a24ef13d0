/** `PATCH /dialer/calltask/{itcaId}` (our addition): changes an open call task (campaigns-59). */
import { type Static, Type } from 'typebox'
import { checkNumbers, PRIORITY } from '../../dialer/check-import.ts'
import { countryOf } from '../../dialer/phone-number.ts'
import { campaignOf } from '../../dialer/stored-campaign.ts'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { TaskFaultKind } from '../../ports/dialer-admin-repository.ts'
import type { ChangeCallTask } from '../../ports/dialer-repository.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, readInstant } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'
import { TASK_ERROR_CODES } from './import-error-codes.ts'

const HOUR_MS = 3_600_000
const OrNull = (schema: ReturnType<typeof InstantIn>) => Type.Optional(Type.Union([schema, Type.Null()]))

const Change = Type.Object(
  {
    maxCallAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    minCallIntervalHours: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_760 })),
    callNumberList: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 20 })),
    priority: Type.Optional(Type.Integer(PRIORITY)),
    validFrom: OrNull(InstantIn('The call task is not dialed before; null removes the limit.')),
    validTo: OrNull(InstantIn('From then on the call task is EXPIRED; null removes the limit.')),
  },
  { minProperties: 1 },
)

const Changed = Type.Object({
  itcaId: Type.Integer(),
  inCall: Type.Boolean({ description: 'A call to it is up: that call goes on, and the change concerns the next one.' }),
})

/** The operation. */
export function callTaskChangeRoutes(dependencies: RestDependencies): Route[] {
  const changeCallTask = route({
    method: 'PATCH',
    path: '/dialer/calltask/{itcaId}',
    scope: 'dialer:write',
    audit: { action: 'change', object: 'callTask', by: 'itcaId' },
    summary: 'Change a call task',
    description:
      'Absent fields stay unchanged. The dialer checks the call task against its new values at once; a call that is ' +
      'up goes on. 409: the call task is finished. A number that cannot be dialed, a stopped number and a duplicate ' +
      'are refused with the error code of an import (103, 203, 201).',
    params: Type.Object({ itcaId: Id('The call task') }),
    body: Change,
    answers: { 200: Changed },
    example: { body: { maxCallAttempts: 5, validTo: '2026-12-24T12:00:00+01:00' } },
    handle: ({ params, body, asker }) => change(dependencies, params.itcaId as CallTaskId, body, asker),
  })
  return [changeCallTask]
}

async function change(
  { clock, dialerAdmin, dialerRepository }: RestDependencies,
  task: CallTaskId,
  body: Static<typeof Change>,
  { corporations }: Asker,
): Promise<Answer> {
  const nowMs = clock.nowMs()
  const [present] = await dialerRepository.describeTasks([task], nowMs)
  if (!present || !corporations.includes(present.corporation)) return notFound()
  const read = { validFrom: limitOf(body.validFrom), validTo: limitOf(body.validTo) }
  const unread = (['validFrom', 'validTo'] as const).find((name) => read[name] === 'wrong')
  if (unread) return refuse('validation', `${unread}: is no timestamp; write ISO 8601 with an offset`)
  const ids = [present.campaign]
  const { campaigns } = await dialerAdmin.findCampaigns({ corporations, ids, page: 0, rowsMax: 1 })
  const reading = campaigns[0] && campaignOf(campaigns[0])
  if (!reading || 'missing' in reading) {
    return refuse('conflict', 'the campaign of the call task is not ready; set it with POST /dialer/callcode')
  }
  const { callerId, imports, allowedCountries, acceptsPossibleNumbers } = reading.campaign
  const { skipInvalidNumbers } = imports
  const rules = { country: countryOf(callerId), allowedCountries, skipInvalidNumbers, acceptsPossibleNumbers }
  const checked = body.callNumberList && checkNumbers(body.callNumberList, rules)
  if (checked?.ok === false) return wrongNumbers(checked.kind, checked.text)
  const result = await dialerRepository.changeCallTask({
    task,
    corporations,
    stoppedNumbers: imports.dropStoppedNumbers ? 'drop' : 'reject',
    atMs: nowMs,
    change: {
      ...(body.maxCallAttempts !== undefined && { attemptsMax: body.maxCallAttempts }),
      ...(body.minCallIntervalHours !== undefined && { intervalMs: body.minCallIntervalHours * HOUR_MS }),
      ...(body.priority !== undefined && { priority: body.priority }),
      ...(checked && { numbers: checked.numbers }),
      ...(read.validFrom !== undefined && { validFromAtMs: read.validFrom as number | null }),
      ...(read.validTo !== undefined && { validToAtMs: read.validTo as number | null }),
    } satisfies ChangeCallTask['change'],
  })
  switch (result.outcome) {
    case 'changed':
      return { body: { itcaId: task, inCall: result.isInCall } }
    case 'finished':
      return refuse('conflict', 'the call task is finished; import it again')
    case 'validity is empty':
      return refuse('validation', 'validTo: is not later than validFrom; choose a later one')
    case 'refused':
      return wrongNumbers(result.why, REFUSED[result.why])
    case 'no such call task':
      return notFound()
  }
}

const REFUSED = {
  duplicate: 'another open call task of the campaign has the same numbers',
  numberStopped: 'a number is on the stop list',
} as const

function wrongNumbers(kind: TaskFaultKind, message: string): Answer {
  const error = { path: 'callNumberList', code: String(TASK_ERROR_CODES[kind]), message }
  return refuse('validation', `callNumberList: ${message}`, { errors: [error] })
}

function notFound(): Answer {
  return refuse('notFound', 'there is no call task with this itcaId')
}

/** An absent limit stays as it is; null removes it. */
function limitOf(given: string | number | null | undefined): number | null | undefined | 'wrong' {
  return given === undefined || given === null ? given : (readInstant(given) ?? 'wrong')
}
