/** Imports of call tasks on the wire: requests and answers (contract.md §2.1, §2.2; D-07, D-08). */
import { Type } from 'typebox'
import type { GivenCallTask, GivenProperty } from '../../dialer/check-import.ts'
import type { ImportJob, TaskFault } from '../../ports/dialer-admin-repository.ts'
import { readInstant } from '../http/list-params.ts'
import type { Problem } from '../http/problem-kinds.ts'
import { field as fieldOf, instant, int, shape, text, textOrNull } from '../http/shape.ts'
import { CallTask } from './call-task-schema.ts'
import { REQUEST_ERROR_CODES, TASK_ERROR_CODES } from './import-error-codes.ts'

/** The fields of a request, each of any type: a fault of a field has a code of its own. */
export const ImportRequest = Type.Object({
  systemCode: field('Text: the code of an external system. Required.'),
  callCode: field('Whole number: the campaign that receives the call tasks. Required.'),
  maxCallAttempts: field('Whole number, 1 to 100: unanswered attempts of each call task. Required.'),
  minCallIntervalHours: field('Whole number, 0 to 8760: hours between two attempts. Required.'),
  priority: field('Whole number, -100 to 100: that of the call tasks of this list; 0 unless given. Higher first.'),
  callTasks: field(
    'List of at most 10000 objects, 100000 with importAsync: callReceiverName (text, required), ' +
      'callNumberList (list of 1 to 20 texts, required), extCustId (text), systemLookupCode (text), properties (list ' +
      'of {emprId, value, addToCallTaskName}), validFrom and validTo (timestamps with an offset: not dialed before, ' +
      'EXPIRED from then on), priority (whole number, -100 to 100: higher first; that of the request unless given), ' +
      'language (a tag such as et: that of the contact). Required.',
  ),
})

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

function field(description: string) {
  return Type.Optional(Type.Unknown({ description }))
}
