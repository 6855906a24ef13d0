/** The line for callbacks of callees: a known number reaches an agent at once, others name their case. */

/** The number of the line. */
export const LINE = '+4570002000'

/** Its flow, as YAML. */
export const FLOW = `flow: service-line
languages: [en]
start: known
onError: bye
activity: { systemLookupCode: "\${caseNumber}" }
steps:
  known:
    branch:
      cases:
        - { has: task.systemLookupCode, next: team }
      else: ask
  ask:
    gather:
      prompt: Your case number, please.
      digits: { min: 4, max: 4 }
      pattern: "[0-9]+"
    as: caseNumber
    next: team
    on: { failed: bye }
  team:
    queue: { team: campaign, popup: "\${caseNumber}", timeout: 30s }
    next: bye
    on: { failed: bye }
  bye: { hangup: { say: Goodbye. } }
`
