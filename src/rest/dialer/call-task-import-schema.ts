/** Call tasks to be imported, and what is answered, on the wire (contract.md §2.1, §2.2, §7; D-07, D-08). */
import { Type } from 'typebox'
import type { GivenCallTask, GivenProperty } from '../../dialer/import-call-tasks.ts'
import type { ImportJob, TaskFault, TaskFaultKind } from '../../ports/dialer-admin-repository.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import type { Problem } from '../http/problem-kinds.ts'
import { CallTask } from './call-task-schema.ts'

/** contract.md §7: what is wrong with a whole request. */
export const STATUS = {
  unknownError: 1,
  requestMissing: 2,
  systemCodeMissing: 3,
  invalidSystemCode: 4,
  callCodeMissing: 5,
  invalidCallCode: 6,
  maxCallAttemptsMissing: 7,
  invalidMaxCallAttempts: 8,
  callIntervalMissing: 9,
  invalidCallInterval: 10,
  callTasksMissing: 11,
  incompleteSetup: 12,
} as const

/** contract.md §7: what is wrong with one call task. */
const ERROR_CODES: Readonly<Record<TaskFaultKind, number>> = {
  unexpected: 1,
  propertyWrong: 12,
  nameMissing: 101,
  numbersMissing: 102,
  numberInvalid: 103,
  duplicate: 201,
  personStopped: 202,
  numberStopped: 203,
  finalFeedback: 204,
}

/** The fields of a request, each of any kind: what is wrong with one has a code of its own. */
export const ImportRequest = Type.Object({
  systemCode: field('Text: the code of an external system. Required.'),
  callCode: field('Whole number: the campaign that receives the call tasks. Required.'),
  maxCallAttempts: field('Whole number, 1 to 100: unanswered attempts of each call task. Required.'),
  minCallIntervalHours: field('Whole number, 0 to 8760: hours between two attempts. Required.'),
  callTasks: field(
    'List of objects, 10000 at the most and 100000 with importAsync: callReceiverName (text, required), ' +
      'callNumberList (list of 1 to 20 texts, required), extCustId (text), systemLookupCode (text), properties (list ' +
      'of {emprId, value, addToCallTaskName}). Required.',
  ),
})

/** Why one call task was not imported. */
export const CallTaskError = Type.Object({
  callTaskIndex: Type.Integer({ description: 'Place in the submitted list, from 0.' }),
  errorCodes: Type.Array(Type.Integer(), { description: Object.values(ERROR_CODES).join(', ') }),
  errorText: Type.String(),
})

const ImportStatusName = Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled'])

/** What is answered to an import that was handled. */
export const ImportAnswer = Type.Object({
  callTaskErrors: Type.Array(CallTaskError, { description: 'Empty when every call task was imported.' }),
  importId: Type.String(),
  importedCount: Type.Optional(Type.Integer()),
  importStatus: Type.Optional(ImportStatusName),
  callTasks: Type.Optional(Type.Array(CallTask, { description: 'With returnImportedCallTasks.' })),
})

/** What is answered to one that was not. */
export const ImportFailure = Type.Object({ statusCode: Type.Integer(), statusText: Type.String() })

const IMPORT_FACTS = {
  importId: Type.String(),
  importStatus: ImportStatusName,
  systemCode: Type.String(),
  callCode: Type.Integer(),
  submittedCount: Type.Integer(),
  importedCount: Type.Integer(),
  failedCount: Type.Integer(),
  statusText: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
  creationTs: InstantOut('When it was asked for.'),
  startedTs: InstantOut('When the first call tasks were looked at.'),
  finishedTs: InstantOut('When it was over.'),
}

/** An import as a list shows it. */
export const ImportSummary = Type.Object(IMPORT_FACTS)
/** The whole of it. */
export const ImportDetail = Type.Object({
  ...IMPORT_FACTS,
  callTaskErrors: Type.Array(CallTaskError),
  callTasks: Type.Optional(Type.Array(CallTask)),
})

/** An import as a list shows it. */
export function importOut(job: ImportJob) {
  return {
    importId: job.importId,
    importStatus: job.status,
    systemCode: job.externalSystemCode,
    callCode: job.campaign,
    submittedCount: job.submitted,
    importedCount: job.imported,
    failedCount: job.failed,
    statusText: job.why,
    creationTs: instantText(job.createdAtMs),
    startedTs: instantText(job.startedAtMs),
    finishedTs: instantText(job.finishedAtMs),
  }
}

/** One entry of `callTaskErrors`, its codes ascending. */
export function errorOut({ index, kinds, text }: TaskFault) {
  const errorCodes = kinds.map((kind) => ERROR_CODES[kind]).sort((a, b) => a - b)
  return { callTaskIndex: index, errorCodes, errorText: text }
}

/** One call task of a request by the names of the house. What is no object has nothing. */
export function givenCallTask(given: unknown): GivenCallTask {
  const { callReceiverName, callNumberList, extCustId, systemLookupCode, properties } = recordOf(given)
  return {
    receiverName: callReceiverName,
    numbers: callNumberList,
    externalCustomer: extCustId,
    externalCaseNumber: systemLookupCode,
    properties: Array.isArray(properties) ? properties.map(givenProperty) : properties && givenProperty(properties),
  }
}

/** A problem that is none of the operation's own, in the contract's words (contract.md §2.2). */
export function importProblem({ kind, detail, errors }: Problem) {
  const isNoRequest = kind === 'badRequest' || (kind === 'validation' && errors?.some(({ path }) => path === ''))
  return { statusCode: isNoRequest ? STATUS.requestMissing : STATUS.unknownError, statusText: detail }
}

/** Anything that is no object stays what it is, to be refused as such. */
function givenProperty(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const { emprId, value, addToCallTaskName } = recordOf(given)
  const property: GivenProperty = { field: emprId, value, addToName: addToCallTaskName ?? undefined }
  return property
}

function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject ? (given as Readonly<Record<string, unknown>>) : {}
}

function field(description: string) {
  return Type.Optional(Type.Unknown({ description }))
}
