import { expect, test } from 'vitest'
import { World } from './world.ts'

/** Another customer's look-up: other words, another shape, and a case number among other things. */
const FLOW = `flow: rent
start: lookup
steps:
  lookup:
    http:
      get: \${env.integrator}/Tenants/77
      expect: { required: [tenancy] }
    as: answer
    next: tell
    on: { notFound: bye, timeout: bye, failed: bye }
  tell:
    branch:
      in: answer
      cases:
        - { when: "$[?(@.tenancy.endedOn == null)]", next: owes }
      else: bye
  owes: { play: "You owe \${answer.tenancy.rentDue} crowns for \${answer.tenancy.street}.", next: bye }
  bye: { hangup: { say: Goodbye. } }
`

test('an answer with any shape and names can be branched on and spoken', async () => {
  const world = new World({ flow: FLOW })
  const body = JSON.stringify({ tenancy: { endedOn: null, rentDue: 4200, street: 'Elm Street 4' } })
  world.web.on('GET /Tenants/77', { body })
  const served = (await world.open()).serve({})
  expect(served.words).toContain('You owe 4200 crowns for Elm Street 4.')
})
