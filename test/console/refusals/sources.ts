/** Whose sentences reach a person of the console: by file, the functions and tables that hold them. */
import type { Sinks } from './said-sentences.ts'

const REFUSE: Sinks = { calls: { refuse: 1 } }
const ORDERS: Sinks = { calls: { no: 0 } }

/** What the node answers to orders of the desk, to acts of the board, and under *You*. */
export const ANSWERS: Readonly<Record<string, Sinks>> = {
  // Orders of the desk, and what became of a consultation or a promise.
  'src/rest/agents/agents.ts': REFUSE,
  'src/acd/logged-in-agents.ts': { members: ['why', 'reason'] },
  'src/acd/agent-session-orders.ts': { tables: ['ORDERS'], members: ['why'] },
  'src/engine/agents/agent-desktop.ts': ORDERS,
  'src/engine/agents/ended-tasks.ts': { tables: ['NOT_CALLED_BACK'] },
  'src/engine/agents/preview-offers.ts': { calls: { no: 0 }, members: ['reason'] },
  'src/engine/agents/why-not-here.ts': {},
  'src/engine/agents/talk-acts.ts': { members: ['why'] },
  'src/engine/agents/consults.ts': { calls: { no: 0, lost: 1 }, tables: ['NOT_CONNECTED'] },
  'src/engine/agents/dial-by-hand.ts': { calls: { no: 0, refuse: 0 } },
  'src/engine/agents/dial-number.ts': ORDERS,
  'src/engine/agents/earlier-calls.ts': ORDERS,
  'src/engine/agents/recent-calls.ts': ORDERS,
  'src/engine/agents/save-outcome.ts': ORDERS,
  'src/engine/agents/caller-outcomes.ts': { members: ['why'] },
  'src/dialer/outcome-given.ts': { calls: { wrong: 0 }, members: ['why'] },
  'src/dialer/may-transfer-now.ts': { members: ['why'] },
  // Why an agent is paused or logged out.
  'src/acd/agent-session.machine.ts': { calls: { because: 0 }, members: ['reason'] },
  'src/acd/agent-session-steps.ts': { calls: { because: 0 } },
  // Acts of the board.
  'src/rest/agents/agent-state.ts': REFUSE,
  'src/rest/agents/supervise.ts': REFUSE,
  'src/engine/agents/supervisions.ts': { calls: { no: 1 } },
  'src/rest/dialer/campaigns.ts': REFUSE,
  'src/rest/dialer/campaign-forecast.ts': { calls: { refuse: 1, wrong: 2 } },
  'src/rest/dialer/within-teams.ts': REFUSE,
  // The second factor.
  'src/rest/access/second-factor.ts': { calls: { refuse: 1 }, members: ['message'] },
  'src/rest/access/sign-on.ts': { calls: { refuse: 1 }, members: ['message'] },
  // Every operation.
  'src/rest/server.ts': REFUSE,
  'src/rest/http/http-app.ts': REFUSE,
  'src/rest/http/problem-response.ts': REFUSE,
  'src/rest/http/idempotency.ts': { calls: { refuse: 1 } },
  'src/rest/http/register-routes.ts': { calls: { refuse: 1, fail: 1, tooMany: 1 } },
}

const FIELD = 'the path and the message of a field, which is shown by its own sentence'
const SHAPE = 'no page sends such a request'
const ELSEWHERE = 'an operation that no page asks for'

/** What the same functions say to programs, with the reason why no person of the console gets it. */
export const FOR_PROGRAMS: Readonly<Record<string, string>> = {
  'fields[{}].value: {}': FIELD,
  'code: this is not the code of now; check the clock of the phone': FIELD,
  '{}: is missing; the queue of the campaign has no agents, so give their number': FIELD,
  '{}: is too large for {} agents and {} hours; use at most {}, or fewer agents': FIELD,
  '{}: {} (and {} more)': FIELD,
  'the {}: {} (and {} more)': FIELD,
  'the {}: {}': FIELD,
  'the {} is invalid': SHAPE,
  'callCodes: is given together with the fields of one campaign; send one or the other': SHAPE,
  'callCodes[{}].callCode: is given twice; remove one of them': SHAPE,
  'there is no import with this importId; imports are kept for 30 days': ELSEWHERE,
  'there is no call task with this itcaId': ELSEWHERE,
  'there is no queue with this ucquId; GET /svcpbx/queue lists them': 'the page of a call shows a text of its own',
  'there is no such user with a second factor': ELSEWHERE,
  'no node is available; try again': ELSEWHERE,
  'no operation has this path; /openapi.json lists all operations': SHAPE,
  'this is the sign-on address; call GET /rest/api/state to get the endpoint of all other operations':
    'the console is not served there',
  '{} is not called: No trunk with sipTransfers has this host; add it to the configuration.':
    'the desk transfers to numbers alone',
  'the URL exceeds {} characters': SHAPE,
  'the URL must not contain the character U+0000': SHAPE,
  'this path allows {}': SHAPE,
  'unsupported media type; send application/json in UTF-8': SHAPE,
  'unsupported media type; send application/x-www-form-urlencoded': SHAPE,
  'the request exceeds a size limit; send a smaller one': SHAPE,
  'the request is not well-formed HTTP': SHAPE,
  'the body exceeds {} KiB': SHAPE,
  'the body {}': SHAPE,
  'Idempotency-Key must have 1 to {} visible ASCII characters': SHAPE,
  'this Idempotency-Key was used for a request with another URL or body; use a new key': SHAPE,
  'too many requests; retry after the time in Retry-After{}': 'its end is about imports and long lists',
  ['; an import counts its call tasks, {} at least: send up to 10,000 call tasks in one import, or 100,000 with ' +
    'importAsync, instead of one import for each']: 'the end of a sentence about imports',
  '; {} long pages are sent at a time: read one to its end first': 'the end of a sentence about long lists',
  '; this node is working on as many large bodies as it has room for': 'the end of a sentence about large imports',
}
