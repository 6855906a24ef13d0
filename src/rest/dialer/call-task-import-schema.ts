/** Imports of call tasks on the wire: requests and answers (contract.md §2.1, §2.2; D-07, D-08). */
import { Type } from 'typebox'
import {
  type GivenCallTask,
  type GivenProperty,
  CALL_TASK_LIMITS as LIMITS,
  PRIORITY,
} from '../../dialer/check-import.ts'
import type { ImportJob, TaskFault } from '../../ports/dialer-admin-repository.ts'
import { laxFields } from '../http/lax-body.ts'
import { Id, readInstant } from '../http/list-params.ts'
import type { Problem } from '../http/problem-kinds.ts'
import { field as fieldOf, instant, int, shape, text, textOrNull } from '../http/shape.ts'
import { CallTask } from './call-task-schema.ts'
import { REQUEST_ERROR_CODES, TASK_ERROR_CODES } from './import-error-codes.ts'

/** Call tasks of a request, at once and with `importAsync` (D-30). */
export const TASKS_MAX = { sync: 10_000, async: 100_000 } as const
/** `maxCallAttempts` (D-30). */
export const ATTEMPTS = { minimum: 1, maximum: 100 } as const
/** `minCallIntervalHours` (D-30). */
export const INTERVAL_HOURS = { minimum: 0, maximum: 8_760 } as const

const whole = (limits: { readonly minimum: number; readonly maximum: number }, description: string) =>
  Type.Integer({ ...limits, description })
const code = (description: string) => Type.Optional(Type.String({ maxLength: LIMITS.code, description }))
const instantIn = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

const PropertyIn = Type.Object({
  emprId: Id('Id of an information field'),
  value: Type.String({ minLength: 1, maxLength: LIMITS.value, description: 'The value of the field' }),
  addToCallTaskName: Type.Optional(Type.Boolean({ description: 'Adds the value to callReceiverName.' })),
})

const CallTaskIn = Type.Object({
  callReceiverName: Type.String({ minLength: 1, maxLength: LIMITS.name, description: 'Name of the callee' }),
  callNumberList: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: LIMITS.numbers,
    description: 'Numbers to dial, the first one first: + and digits, or as dialed in the country of the campaign',
  }),
  extCustId: code('Customer id in the external system'),
  systemLookupCode: code('Case number in the external system'),
  properties: Type.Optional(
    Type.Union([Type.Array(PropertyIn, { maxItems: LIMITS.properties }), PropertyIn], {
      description: 'Values of information fields; a single one may stand without a list',
    }),
  ),
  validFrom: instantIn('Not dialed before this timestamp, which has an offset'),
  validTo: instantIn('From this timestamp on, which has an offset, the call task is EXPIRED'),
  priority: Type.Optional(whole(PRIORITY, 'Higher first; that of the request unless given')),
  language: code('Language of the contact, a tag such as et'),
})

/** A request as a client sends it. */
export const ImportShown = Type.Object({
  systemCode: Type.String({ minLength: 1, description: 'Code of an external system' }),
  callCode: Id('The campaign that receives the call tasks'),
  maxCallAttempts: whole(ATTEMPTS, 'Unanswered attempts of each call task'),
  minCallIntervalHours: whole(INTERVAL_HOURS, 'Hours between two attempts'),
  priority: Type.Optional(whole(PRIORITY, 'That of the call tasks of this list; 0 unless given. Higher first.')),
  callTasks: Type.Array(CallTaskIn, {
    minItems: 1,
    maxItems: TASKS_MAX.async,
    description: `At most ${TASKS_MAX.sync} call tasks; ${TASKS_MAX.async} with importAsync`,
  }),
})

/** What is read: a fault of a field has a code of its own. */
export const ImportRequest = Type.Object(laxFields(ImportShown))

export const CallTaskError = Type.Object({
  callTaskIndex: Type.Integer({ description: 'Place in the submitted list, from 0.' }),
  errorCodes: Type.Array(Type.Integer(), { description: Object.values(TASK_ERROR_CODES).join(', ') }),
  errorText: Type.String(),
})

const ImportStatusName = Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled'])

export const ImportAnswer = Type.Object({
  callTaskErrors: Type.Array(CallTaskError, { description: 'Empty when every call task was imported.' }),
  importId: Type.String(),
  importedCount: Type.Optional(Type.Integer()),
  importStatus: Type.Optional(ImportStatusName),
  callTasks: Type.Optional(Type.Array(CallTask, { description: 'With returnImportedCallTasks.' })),
})

/** The answer to a request that was rejected as a whole. */
export const ImportFailure = Type.Object({ statusCode: Type.Integer(), statusText: Type.String() })

/** An import as a list shows it. */
export const IMPORT = shape<ImportJob>({
  importId: text(({ importId }) => importId),
  importStatus: fieldOf(ImportStatusName, ({ status }) => status),
  systemCode: text(({ externalSystemCode }) => externalSystemCode),
  callCode: int(({ campaign }) => campaign),
  submittedCount: int(({ submitted }) => submitted),
  importedCount: int(({ imported }) => imported),
  failedCount: int(({ failed }) => failed),
  statusText: textOrNull(({ why }) => why, 'Why it failed.'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was submitted.'),
  startedTs: instant(({ startedAtMs }) => startedAtMs, 'When the first call tasks were checked.'),
  finishedTs: instant(({ finishedAtMs }) => finishedAtMs, 'When it was finished.'),
})
export const ImportDetail = Type.Object({
  ...IMPORT.schema.properties,
  callTaskErrors: Type.Array(CallTaskError),
  callTasks: Type.Optional(Type.Array(CallTask)),
})

/** One entry of `callTaskErrors`, its codes ascending. */
export function errorOut({ index, kinds, text }: TaskFault) {
  const errorCodes = kinds.map((kind) => TASK_ERROR_CODES[kind]).sort((a, b) => a - b)
  return { callTaskIndex: index, errorCodes, errorText: text }
}

/** One call task of a request, in our names. A value that is not an object has no fields. */
export function givenCallTask(given: unknown): GivenCallTask {
  const { callReceiverName, callNumberList, extCustId, systemLookupCode, properties } = recordOf(given)
  const { language, validFrom, validTo, priority } = recordOf(given)
  return {
    receiverName: callReceiverName,
    numbers: callNumberList,
    externalCustomer: extCustId,
    externalCaseNumber: systemLookupCode,
    properties: Array.isArray(properties) ? properties.map(givenProperty) : properties && givenProperty(properties),
    ...(language !== undefined && { language }),
    ...(validFrom !== undefined && { validFrom: limitOf(validFrom) }),
    ...(validTo !== undefined && { validTo: limitOf(validTo) }),
    ...(priority !== undefined && { priority }),
  }
}

/** A problem found before the operation began, in the form of the contract (contract.md §2.2). */
export function importProblem({ kind, detail, errors }: Problem) {
  const isNoRequest = kind === 'badRequest' || (kind === 'validation' && errors?.some(({ path }) => path === ''))
  return {
    statusCode: isNoRequest ? REQUEST_ERROR_CODES.requestMissing : REQUEST_ERROR_CODES.unknownError,
    statusText: detail,
  }
}

/** A value that is not an object is left unchanged and refused later. */
function givenProperty(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const { emprId, value, addToCallTaskName } = recordOf(given)
  const property: GivenProperty = { field: emprId, value, addToName: addToCallTaskName ?? undefined }
  return property
}

/** A value that is no timestamp is left unchanged and refused later. */
function limitOf(given: unknown): unknown {
  return typeof given === 'string' ? (readInstant(given) ?? given) : given
}

function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject ? (given as Readonly<Record<string, unknown>>) : {}
}
