/** The other system of a test by phone: imports the caller's task and posts events, over HTTP as in production. */
import { credentialOf } from '../../demo/credential.ts'
import type { Service } from '../app/service.ts'
import { type Client, connect } from '../client/client.ts'
import type { Given } from '../flow-test/script.ts'
import type { Clock } from '../kernel/clock.ts'

const SYSTEM_CODE = 'TEST'
/** Made for the campaign of the task alone, beside the teams of the flow. */
export const TASK_TEAM = 'tests-by-phone'

/** A client with every right. `clock` is that of the service. */
export async function integratorOf(service: Service, clock: Clock): Promise<Client> {
  const credential = await credentialOf(service, clock, 'tests by phone')
  return connect({ ssoUrl: service.core!.rest.ssoUrl!, credential, clock })
}

/** Imports the task of the caller into a campaign that does not dial. Does nothing where the test gives none. */
export async function importTask(client: Client, { task, caller }: Given): Promise<void> {
  if (!task || caller === undefined) return
  const system = await client.ask('POST /rest/core/externalsystems', {
    body: { systemCode: SYSTEM_CODE, name: 'Tests', popupUrlTemplate: 'https://system.test/{$CODE}' },
  })
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const queue = queues.find(({ name }) => name.toLowerCase().includes(TASK_TEAM))!
  const campaign = await client.ask('POST /dialer/callcode', {
    body: {
      name: 'Tests by phone',
      corporation: { corpId: 1 },
      externalSystem: { itsyId: system.itsyId },
      queue: { ucquId: queue.ucquId },
      callerId: '+3726000000',
      dialMode: 'preview',
      active: false,
      callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'UTC' }],
      ringTimeoutSeconds: 15,
      wrapUpSeconds: 0,
      machineDetection: { enabled: false },
      recording: { mode: 'off' },
    },
  })
  if (!('callCode' in campaign)) throw new Error('the answer is not one campaign')
  const answer = await client.ask('POST /svcdialer/calltaskimport', {
    body: {
      systemCode: SYSTEM_CODE,
      callCode: campaign.callCode,
      maxCallAttempts: 1,
      minCallIntervalHours: 1,
      callTasks: [
        {
          callReceiverName: 'The caller',
          callNumberList: [caller],
          extCustId: 'TEST-1',
          systemLookupCode: String(task['systemLookupCode']),
        },
      ],
    },
  })
  const [error] = answer.callTaskErrors
  if (error) throw new Error(`the task of the test cannot be imported: ${JSON.stringify(error)}`)
}
