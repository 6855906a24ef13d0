/** The campaign of a kept demo, made over HTTP: its outcomes, and call tasks as long as it is kept. */
import type { Client } from '../../src/client/client.ts'
import type { Clock, Timer } from '../../src/kernel/clock.ts'
import { CALLER_ID } from '../campaign-people.ts'
import type { KnownOutcome } from './colleague.ts'
import type { PassersBy } from './passers-by.ts'
import { DESK_TEAM } from './staff.ts'

/** The system of the second act. */
const SYSTEM_CODE = 'DEBT'
/** The visitor may read and think. */
const WRAP_UP_SECONDS = 120
const LOOK_EVERY_MS = 4_000
/** A few minutes' work of four agents. */
const WAITING_LEAST = 20
const IMPORT = 30

/** What agents may choose; `share`: how often colleagues do. */
const OUTCOMES = [
  {
    share: 8,
    body: { name: 'Promise to pay', key: '1', final: true, fields: [{ name: 'Amount', kind: 'number' as const }] },
  },
  { share: 4, body: { name: 'Paid already', key: '2', final: true } },
  { share: 4, body: { name: 'Callback', key: '3', needsCallBackDate: true } },
  { share: 3, body: { name: 'Wrong person', key: '4', final: true } },
  { share: 1, body: { name: 'Do not call', key: '5', final: true } },
]

/** The campaign and its outcomes. */
export interface DeskCampaign {
  readonly callCode: number
  readonly outcomes: readonly KnownOutcome[]
}

/** Makes the campaign of the desk's team, with its catalogue. */
export async function makeDeskCampaign(client: Client): Promise<DeskCampaign> {
  const [queues, systems] = await Promise.all([
    client.ask('GET /rest/svcpbx/queue'),
    client.ask('GET /rest/core/externalsystems'),
  ])
  const queue = queues.find(({ name }) => name.toLowerCase().includes(DESK_TEAM))!
  const system = systems.find(({ systemCode }) => systemCode === SYSTEM_CODE)!
  const campaign = await client.ask('POST /dialer/callcode', {
    body: {
      name: 'Friendly reminders',
      corporation: { corpId: 1 },
      externalSystem: { itsyId: system.itsyId },
      queue: { ucquId: queue.ucquId },
      callerId: CALLER_ID,
      dialMode: 'progressive',
      active: true,
      holidayCalendar: 'none',
      callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
      ringTimeoutSeconds: 15,
      wrapUpSeconds: WRAP_UP_SECONDS,
      machineDetection: { enabled: true, action: 'hangup', maxErrorPercent: 100 },
      recording: { mode: 'always' },
    },
  })
  if (!('callCode' in campaign)) throw new Error('the answer is not one campaign')
  const params = { callCode: String(campaign.callCode) }
  const outcomes: KnownOutcome[] = []
  for (const { share, body } of OUTCOMES) {
    const made = await client.ask('POST /dialer/callcode/{callCode}/outcomes', { params, body })
    outcomes.push({ outcomeId: made.outcomeId, needsCallBackDate: made.needsCallBackDate, share })
  }
  return { callCode: campaign.callCode, outcomes }
}

/** What the supply of call tasks needs. */
export interface SupplyParts {
  readonly client: Client
  readonly callCode: number
  readonly people: PassersBy
  readonly clock: Clock
  readonly onLine: (line: string) => void
}

/** Imports new people whenever few are left, until `stop`. The first ones are there when it resolves. */
export async function supplyPeople({ client, callCode, people, clock, onLine }: SupplyParts) {
  const { emprId } = await client.ask('POST /rest/svcems/infofields', { body: { name: 'Owed' } })
  const bring = async () => {
    const callTasks = people.next(IMPORT).map(({ number, name, caseNumber, owed }) => ({
      callReceiverName: name,
      callNumberList: [number],
      extCustId: caseNumber,
      systemLookupCode: caseNumber,
      properties: [{ emprId, value: owed }],
    }))
    const body = { systemCode: SYSTEM_CODE, callCode, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks }
    const { callTaskErrors } = await client.ask('POST /svcdialer/calltaskimport', { body })
    if (callTaskErrors.length > 0) onLine(`refused call tasks: ${JSON.stringify(callTaskErrors).slice(0, 300)}`)
  }
  let timer: Timer | undefined
  let isOver = false
  const look = async () => {
    if (people.waiting < WAITING_LEAST) await bring().catch((error: Error) => onLine(`import: ${error.message}`))
    if (!isOver) timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void look())
  }
  await bring()
  await look()
  return {
    stop() {
      isOver = true
      timer?.cancel()
    },
  }
}
