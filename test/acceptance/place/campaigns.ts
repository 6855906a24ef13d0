/** What a supervisor and an integrator arrange over HTTP before anything is dialed. */
import type { Client } from '../../../src/client/client.ts'
import type { AnswerOf } from '../../../src/client/request.ts'
import { ROOMS, type RoomName } from './installation.ts'

/** An external system; its code is in capitals, as the room. */
export async function makeSystem(
  client: Client,
  systemCode: string,
  popupUrlTemplate = 'https://debt.example/popup?caseNumber={$CODE}&phone={$CALLER}',
): Promise<number> {
  const body = { systemCode, name: `System ${systemCode}`, popupUrlTemplate }
  return (await client.ask('POST /rest/core/externalsystems', { body })).itsyId
}

/** The queue of a team. */
export async function queueOf(client: Client, team: string): Promise<number> {
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const found = queues.find(({ name }) => name === team)
  if (!found) throw new Error(`there is no queue ${team}`)
  return found.ucquId
}

/** A campaign of the room that may call at any hour, with these settings over the usual ones. */
export async function makeCampaign(
  client: Client,
  room: RoomName,
  itsyId: number,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const body = {
    name: `Campaign of ${room}`,
    corporation: { corpId: 1 },
    externalSystem: { itsyId },
    queue: { ucquId: await queueOf(client, room) },
    callerId: ROOMS[room].callerId,
    trunk: room,
    dialMode: 'progressive',
    active: true,
    holidayCalendar: 'none',
    callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
    ringTimeoutSeconds: 15,
    wrapUpSeconds: 0,
    machineDetection: { enabled: false },
    ...settings,
  }
  const made = await client.ask('POST /dialer/callcode', { body } as never)
  if (!('callCode' in made)) throw new Error('one campaign was asked for')
  return (made as { callCode: number }).callCode
}

/** One call task as the contract has it. */
export interface TaskIn {
  readonly callReceiverName: string
  readonly callNumberList: readonly string[]
  readonly extCustId?: string
  readonly systemLookupCode?: string
  readonly properties?: readonly Readonly<Record<string, unknown>>[]
}

/** Imports the tasks; returns the answer, with the created tasks. */
export function importTasks(
  client: Client,
  request: {
    readonly systemCode: string
    readonly callCode: number
    readonly callTasks: readonly TaskIn[]
    readonly maxCallAttempts?: number
    readonly minCallIntervalHours?: number
  },
): Promise<AnswerOf<'POST /svcdialer/calltaskimport'>> {
  const body = { maxCallAttempts: 1, minCallIntervalHours: 4, ...request }
  return client.ask('POST /svcdialer/calltaskimport', { query: { returnImportedCallTasks: true }, body } as never)
}

/** The attempts of a task, oldest first. */
export async function attemptsOf(client: Client, itcaId: number) {
  const body = { itcaIds: [itcaId], limit: 100 }
  const { callAttempts } = await client.ask('POST /svcdialer/calltaskcallattempts/search', { body })
  return callAttempts.toSorted((one, other) => one.iccaId - other.iccaId)
}
