import type { Refusals } from './refusal-entry.ts'

const NO_TALK = [
  'No agent of this node is in this conversation any more.',
  'Ingen agent på denne node er i denne samtale længere.',
] as const

/** Answers to the acts of the board. */
export const BOARD_REFUSALS: Refusals = {
  'this agent is not logged in at this node; GET /svcpbx/agents lists those who are': [
    'This agent is not logged in at this node.',
    'Denne agent er ikke logget ind på denne node.',
  ],
  'the agent is in another state by now; look at it, and try again': [
    'The agent is in another state by now. Look at the row, and try again.',
    'Agenten er i en anden tilstand nu. Se på rækken, og prøv igen.',
  ],
  'reason: is missing; say why the agent is paused': [
    'Say why the agent is paused.',
    'Skriv, hvorfor agenten får pause.',
  ],
  'this credential belongs to no user, so it has no phone; use that of a supervisor': [
    'Only a supervisor can do this.',
    'Kun en supervisor kan gøre dette.',
  ],
  'you take part in no such conversation': 'Du deltager ikke i den samtale.',
  'no agent of this node is in a conversation of this call; GET /svcpbx/calls/live lists them': NO_TALK,
  'nobody may listen to this call: its campaign or number demands consent; see the setting supervision of the campaign':
    [
      'Nobody may listen to this call: its campaign or number demands consent.',
      'Ingen må lytte til dette opkald: kampagnen eller nummeret kræver samtykke.',
    ],
  'this is your own conversation; a supervisor listens to those of others':
    'Dette er din egen samtale; en supervisor lytter til andres.',
  'you have no phone here: it rings, and you listen with it; add yourself to agents in switchboard.yaml': [
    'You have no phone here to listen with. Ask your administrator to add you to the agents.',
    'Du har ingen telefon her at lytte med. Bed din administrator om at føje dig til agenterne.',
  ],
  'your phone is in use: log out as an agent, or end the other call, and try again':
    'Din telefon er i brug: log ud som agent, eller afslut det andet opkald, og prøv igen.',
  'another supervisor is in this conversation; try again when they have left':
    'En anden supervisor er i denne samtale; prøv igen, når vedkommende har forladt den.',
  'you are in another conversation; leave it with DELETE first': [
    'You are in another conversation. Leave it first.',
    'Du er i en anden samtale. Forlad den først.',
  ],
  'the audit trail cannot be written now, and nobody listens without it; try again':
    'Revisionssporet kan ikke skrives nu, og uden det lytter ingen; prøv igen.',
  'the callCode {campaign} is taken; choose another one': [
    'You may not change this campaign.',
    'Du må ikke ændre denne kampagne.',
  ],
  'there is no campaign with this callCode': ['There is no such campaign.', 'Kampagnen findes ikke.'],
  'there is no campaign with the callCode {campaign}': ['There is no such campaign.', 'Kampagnen findes ikke.'],
  'the campaign lacks {settings}; set it with POST /dialer/callcode and try again': [
    'the campaign is not complete',
    'kampagnen er ikke færdig sat op',
  ],
  'the campaign has no future call window; change callWindows and try again': [
    'the campaign has no more hours in which it may call',
    'kampagnen har ikke flere timer, hvor den må ringe op',
  ],
  'is missing; the queue of the campaign has no agents, so give their number': [
    'the team of the campaign has no agents',
    'kampagnens team har ingen agenter',
  ],
  'is too large for {agents} agents and {hours} hours; use at most {days}, or fewer agents': [
    '{agents} agents for {hours} hours are too many to forecast; at most {days} days can be simulated',
    '{agents} agenter i {hours} timer er for mange til en prognose; højst {days} dage kan beregnes',
  ],
  'another forecast is running; try again when it is finished':
    'en anden prognose beregnes; prøv igen, når den er færdig',
  '{days} days of {agents} agents take too long; use fewer days or agents':
    '{days} dage med {agents} agenter tager for lang tid at beregne',
}

/** Answers to the second factor under *You*. */
export const FACTOR_REFUSALS: Refusals = {
  'this credential belongs to no person; sign in with a user name': [
    'Sign in with your user name first.',
    'Log ind med dit brugernavn først.',
  ],
  'the second factor is on already; turn it off first': 'Den ekstra kode er allerede slået til; slå den fra først.',
  'nothing waits for a code; begin with POST /rest/core/session/second-factor': [
    'Nothing waits for a code any more. Begin again.',
    'Der ventes ikke længere på en kode. Begynd forfra.',
  ],
  'this is not the code of now; check the clock of the phone':
    'Det er ikke den kode, der gælder nu; kontrollér telefonens ur.',
  'user name or password is wrong': 'Brugernavnet eller adgangskoden er forkert.',
  'this person has a second factor: send the one-time code of their app as code': [
    'Your account has a second factor: write the code of your app.',
    'Der kræves en ekstra kode ved login: skriv koden fra din app.',
  ],
  'the one-time code is wrong, or was used before; wait for the next one':
    'Koden er forkert eller brugt før; vent på den næste.',
}

/** Answers that any request may get. */
export const NODE_REFUSALS: Refusals = {
  'too many requests; retry after the time in Retry-After': [
    'Too much was asked in a short time. Wait a moment, and try again.',
    'Der blev spurgt for meget på kort tid. Vent lidt, og prøv igen.',
  ],
  'this node is shutting down; use another node, or try again in a minute': [
    'This node is shutting down. Try again in a minute.',
    'Noden lukker ned. Prøv igen om et minut.',
  ],
  'this node is shutting down; call the state operation to get another endpoint': [
    'This node is shutting down. Try again in a minute.',
    'Noden lukker ned. Prøv igen om et minut.',
  ],
  'the database is not available; try again': 'Databasen svarer ikke; prøv igen.',
  'internal error; report the traceId to the operator': [
    'This failed because of an internal error. Tell your administrator when it was.',
    'Det mislykkedes på grund af en intern fejl. Sig til din administrator, hvornår det skete.',
  ],
  'the disk is full and nothing was stored; retry when the operator has freed space':
    'Disken er fuld, og intet blev gemt; prøv igen, når der er gjort plads.',
  'a request with this Idempotency-Key is still running; retry after the time in Retry-After': [
    'The same request is still under way. Wait a moment, and try again.',
    'Den samme forespørgsel er stadig i gang. Vent lidt, og prøv igen.',
  ],
  'this request was executed, but its answer cannot be read any more; search for its result':
    'Det blev gjort, men svaret kan ikke læses længere; se efter, hvad der kom ud af det.',
  'this credential lacks the scope {right}': [
    'You may not do this. Ask your administrator.',
    'Det må du ikke. Spørg din administrator.',
  ],
  'the body was sent too slowly': ['The network was too slow. Try again.', 'Netværket var for langsomt. Prøv igen.'],
  'the body is incomplete': ['The connection broke off. Try again.', 'Forbindelsen blev afbrudt. Prøv igen.'],
  'authentication failed; send tokenv2, rcntrl and ccntrl of a valid credential as headers': [
    'You are no longer signed in. Sign in again.',
    'Du er ikke længere logget ind. Log ind igen.',
  ],
  ['the role of this person needs a second factor: turn it on first, under the address of the console or with ' +
    'POST and PUT /rest/core/session/second-factor']: [
    'Your role needs a second factor. Turn it on first.',
    'Din rolle kræver en ekstra kode ved login. Slå den til først.',
  ],
}
