import { addressGuard } from '../../../src/adapters/http/address-guard.ts'
import { webOverUndici } from '../../../src/adapters/http/http-client.ts'
import { extractiveSummary } from '../../../src/adapters/recordings/extractive-summary.ts'
import { httpSummarise } from '../../../src/adapters/recordings/http-summarise.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { answerJson, bodyOf, serveHttp } from '../../adapters/http/local-server.ts'
import { summariseContract } from './summarise.contract.ts'

summariseContract('the sentences that say most', async () => extractiveSummary)

summariseContract('a service', async () => {
  // A model that repeats its input: the worst case.
  const server = await serveHttp(async (request, response) => {
    const { messages } = JSON.parse(await bodyOf(request))
    answerJson(response, 200, { choices: [{ message: { role: 'assistant', content: messages[1].content } }] })
  })
  const clock = new RealClock()
  const web = webOverUndici({ clock, guard: addressGuard({ allowedHosts: [server.place] }), log: silentLog })
  return httpSummarise({ place: { url: `${server.url}/v1`, key: undefined, model: 'any' }, web, clock })
})
