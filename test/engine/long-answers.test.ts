/** An answer of another system with more entries than a flow looks at (rest-44): no other call waits for them. */
import { expect, test } from 'vitest'
import { SimWeb } from '../sim/sim-web.ts'
import { CampaignWorld, INBOUND } from '../worlds/campaign-world.ts'

/** As many as a step may have; each once took 2 µs for each entry, so that a step took 22 s. */
const CASES = Array.from({ length: 99 }, (_, place) => `{ when: "$.sums[?(@ == ${place + 10})]", next: other }`)
const FLOW = `flow: line
start: ask
onError: person
steps:
  ask:
    gather: { prompt: "Your case number, please.", digits: 4, tries: 1 }
    as: caseNumber
    next: lookup
  lookup:
    http: { get: "\${env.integrator}/CaseInfo/\${caseNumber}", timeout: 1s, retry: 0, expect: { required: [sums] } }
    as: caseInfo
    next: choose
  choose:
    branch:
      in: caseInfo
      cases: [${CASES.join(', ')}, { when: "$.sums[?(@ == 2)]", next: two }]
      else: person
  two: { hangup: { say: There is a two. } }
  other: { hangup: { say: There is another one. } }
  person: { hangup: { say: A person will help you. } }
`

/** A list of 125,000 ones, with a two at this place. */
const sums = (place: number) => Array.from({ length: 125_000 }, (_, at) => (at === place ? 2 : 1))

test('a condition looks at the first 10,000 entries of a list, and nothing is said of the others', async () => {
  const world = new CampaignWorld({
    flow: FLOW,
    parts: ({ clock }: { clock: ConstructorParameters<typeof SimWeb>[0] }) => ({
      web: new SimWeb(clock)
        .on('GET /CaseInfo/1000', { body: { sums: sums(9_999) } })
        .on('GET /CaseInfo/1001', { body: { sums: sums(10_000) } }),
    }),
  })
  await world.start()
  const hears = async (keys: string) => {
    const person = { presses: [{ keys, afterMs: 3_000 }], hangsUpAfterMs: 30_000 }
    const phone = world.pbx.callIn({ called: INBOUND, person })
    await world.run(35_000)
    return phone.ear.words
  }
  expect(await hears('1000')).toContain('There is a two')
  expect(await hears('1001')).toContain('A person will help you')
})
