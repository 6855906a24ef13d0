/** Reads an import request without its call tasks (D-07, request level). */
import type { ImportOrder } from '../../core/imports/import-job.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import { isPriority, PRIORITY } from '../../dialer/check-import.ts'
import { campaignOf } from '../../dialer/stored-campaign.ts'
import type { CampaignId, CorporationId } from '../../kernel/ids.ts'
import type { KeptCampaign } from '../../ports/dialer-admin-repository.ts'
import type { ExternalSystem } from '../../ports/directory.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { ATTEMPTS, INTERVAL_HOURS, TASKS_MAX } from './call-task-import-schema.ts'
import { REQUEST_ERROR_CODES as CODES } from './import-error-codes.ts'

const HOUR_MS = 3_600_000
const NO_PRIORITY = `priority is no whole number from ${PRIORITY.minimum} to ${PRIORITY.maximum}`
const POPUP_MISSING = 'the campaign requires a popup page; set popupUrlTemplate of the external system'

/** A fault of the request, with the contract's code. */
interface RequestFault {
  readonly code: number
  readonly text: string
}

/** The fields of a request, not yet checked. */
interface ImportBody {
  readonly systemCode?: unknown
  readonly callCode?: unknown
  readonly maxCallAttempts?: unknown
  readonly minCallIntervalHours?: unknown
  readonly priority?: unknown
  readonly callTasks?: unknown
}

/** The order, or all faults in the order of their codes; the first one gives the answer's `statusCode`. */
export async function readImport(
  { dialerAdmin, directory }: Pick<RestDependencies, 'dialerAdmin' | 'directory'>,
  body: ImportBody,
  corporations: readonly CorporationId[],
  isAsync: boolean,
): Promise<ImportOrder | readonly RequestFault[]> {
  const faults: RequestFault[] = []
  const { systemCode, callCode, callTasks } = body
  const systems = await findSystems(directory, systemCode, corporations)
  const [system] = systems
  if (isNothing(systemCode)) say(CODES.systemCodeMissing, 'systemCode is missing')
  else if (!system) say(CODES.invalidSystemCode, 'systemCode is not the code of an active external system')
  else if (systems.length > 1) say(CODES.invalidSystemCode, SEVERAL_SYSTEMS)
  const kept = await findCampaign(dialerAdmin, callCode, corporations, system)
  if (isNothing(callCode)) say(CODES.callCodeMissing, 'callCode is missing')
  else if (!kept) say(CODES.invalidCallCode, 'callCode is not the code of a campaign')
  const attemptsMax = figure('maxCallAttempts', ATTEMPTS, CODES.maxCallAttemptsMissing, CODES.invalidMaxCallAttempts)
  const hours = figure('minCallIntervalHours', INTERVAL_HOURS, CODES.callIntervalMissing, CODES.invalidCallInterval)
  const list = Array.isArray(callTasks) && callTasks.length > 0 ? (callTasks as readonly unknown[]) : undefined
  if (!list) say(CODES.callTasksMissing, 'callTasks is missing, is not a list, or is empty')
  const { priority } = body
  if (!isNothing(priority) && !isPriority(priority)) say(CODES.unknownError, NO_PRIORITY)
  const campaign = kept && readyCampaign(kept, system)
  const rowsMax = TASKS_MAX[isAsync ? 'async' : 'sync']
  if (list && list.length > rowsMax) say(CODES.unknownError, tooMany(rowsMax, isAsync))
  if (faults.length > 0 || !system || !campaign || attemptsMax === undefined || hours === undefined || !list) {
    return faults
  }
  const { corporation } = system
  const order = { corporation, campaign, externalSystem: system.id, attemptsMax, intervalMs: hours * HOUR_MS }
  return { ...order, callTasks: isPriority(priority) ? list.map((task) => withPriority(task, priority)) : list }

  function say(code: number, text: string): undefined {
    faults.push({ code, text })
    return undefined
  }

  function figure(
    name: 'maxCallAttempts' | 'minCallIntervalHours',
    { minimum: min, maximum: max }: { readonly minimum: number; readonly maximum: number },
    missing: number,
    invalid: number,
  ): number | undefined {
    const value = body[name]
    if (value === undefined || value === null) return say(missing, `${name} is missing`)
    const isRight = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    return isRight ? value + 0 : say(invalid, `${name} is not a whole number from ${min} to ${max}`)
  }

  function readyCampaign(stored: KeptCampaign, owner: ExternalSystem | undefined): Campaign | undefined {
    const reading = campaignOf(stored)
    if ('missing' in reading) {
      return say(CODES.incompleteSetup, `the campaign is not ready; set ${reading.missing.join(', ')}`)
    }
    if (reading.campaign.imports.requiresPopup && owner?.popupUrlTemplate === null) {
      return say(CODES.incompleteSetup, POPUP_MISSING)
    }
    return reading.campaign
  }
}

/** The answer to a faulty request: the first code, and all texts. */
export function faultsAnswer(faults: readonly RequestFault[]): Answer {
  const statusText = faults.map(({ text }) => text).join('; ')
  return { status: 400, body: { statusCode: faults[0]?.code ?? CODES.unknownError, statusText } }
}

/** The campaign was deleted during the import. */
export const CAMPAIGN_GONE: Answer = faultsAnswer([
  { code: CODES.invalidCallCode, text: 'the campaign was deleted during the import' },
])

const SEVERAL_SYSTEMS =
  'systemCode is used by several corporations of this credential; import with a credential of one corporation'

async function findSystems(
  directory: RestDependencies['directory'],
  code: unknown,
  corporations: readonly CorporationId[],
): Promise<readonly ExternalSystem[]> {
  if (typeof code !== 'string') return []
  const systems = await directory.externalSystems(corporations, false)
  return systems.filter((system) => system.code === code.trim())
}

/** Of the external system's own corporation, where that is known. */
async function findCampaign(
  dialerAdmin: RestDependencies['dialerAdmin'],
  code: unknown,
  corporations: readonly CorporationId[],
  system: ExternalSystem | undefined,
): Promise<KeptCampaign | undefined> {
  const id = typeof code === 'string' && /^[0-9]{1,15}$/.test(code) ? Number(code) : code
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  const among = system ? [system.corporation] : corporations
  const { campaigns } = await dialerAdmin.findCampaigns({
    corporations: among,
    ids: [id as CampaignId],
    page: 0,
    rowsMax: 1,
  })
  return campaigns[0]
}

function tooMany(rowsMax: number, isAsync: boolean): string {
  const remedy = isAsync ? 'send several imports' : 'send several imports, or use importAsync'
  return `callTasks has more than ${rowsMax} call tasks; ${remedy}`
}

/** A call task of a list that has a priority; its own comes first. */
function withPriority(given: unknown, priority: number): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return { ...given, priority: (given as { priority?: unknown }).priority ?? priority }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
