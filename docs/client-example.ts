import { connect } from 'switchboard/client'
import { SwitchboardProblem } from 'switchboard/client/problem'

const { SSO_URL = '', TOKENV2 = '', RCNTRL = '', CCNTRL = '' } = process.env
const client = connect({ ssoUrl: SSO_URL, credential: { tokenv2: TOKENV2, rcntrl: RCNTRL, ccntrl: CCNTRL } })

// One answer, typed by the operation.
const me = await client.ask('GET /rest/core/activeuser')
console.log(`signed on in ${me.environment}`)

// The rows of all pages.
let open = 0
for await (const task of client.each('POST /dialer/calltaskget', { body: { finishedList: [false] } })) {
  if (task.callAttemptCount === 0) open++
}
console.log(`${open} call tasks were never tried`)

// A POST carries an idempotency key by itself; what goes wrong is one kind of error.
try {
  await client.ask('POST /svcdialer/calltaskimport', {
    body: {
      systemCode: 'NONE',
      callCode: 7,
      maxCallAttempts: 3,
      minCallIntervalHours: 4,
      callTasks: [{ callReceiverName: 'Jane Doe', callNumberList: ['+4526100777'] }],
    },
  })
} catch (error) {
  if (!(error instanceof SwitchboardProblem)) throw error
  console.log(`refused: status ${error.status}, code ${error.statusCode}`)
}
