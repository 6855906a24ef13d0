import { readFlow } from './src/flow/read-flow.ts'
import { formatProblem } from './src/kernel/problem.ts'
const say=(t: string, known?: any)=>{ const r = readFlow('bad.yaml', t, known); console.log('--', !!r.flow); for (const p of r.problems) console.log(formatProblem(p)) }
say(`flow: bad
start: hello
vars: { phone: +37255512345, code: 0047 }
steps:
  hello:
    play: Hi \${calller.number}
    next: aks-case
  ask-case:
    gather:
      prompt: Number?
      tris: 3
      digits: 4
    as: caseNumber
    next: lookup
  lookup:
    http: { get: "https://x.example/\${caseNumber}", expect: {required: [paid]} }
    as: caseInfo
    next: triage
    on: { unknown: again, 404: again, timout: again, 409: again }
  triage:
    branch:
      in: caseInfo
      cases:
        - { when: "$[?(@.a === 1)]", next: again }
        - { when: "$[?(@.closedDate != null)]", next: again }
      else: again
  again: { set: { x: 1 }, next: triage }
  text:
    sms: { text: "\${secret.key} õ" }
    next: both
  both:
    play: Hi
    hangup:
  lost: { play: "Hello {{name}}", next: both }
  braces: { play: {{ name }}, next: both }
  nothing: { next: both }
  w: { wait: { event: x, for: 5s }, next: both }
  q: { queue: { team: a, skills: [x] }, next: both, timeot: 3 }
  c: { gather: { prompt: From 1 to 5, how content are you?, digits: 1 }, next: both }
`)
say(`flow: bad
start: triage
steps:
  triage:
    branch:
      cases: [{ has: task.x, next: again }]
      else: bye
  again: { set: { x: 1 }, next: triage }
  bye: { hangup: }
  idle: { play: x, next: idle }
`)
say('flow: x\nflow: y\n a: b\n')
say('flow: { a: ${x} }')
say(''); say('[]'); say('3'); say('null'); say('steps: 3'); say('steps: {}'); say('steps: []'); say('flow: x\nstart: a\nsteps: { a: 3 }'); say('flow: x\nstart: a\nsteps: { a: { play: 3 } }');say('flow: x\nstart: a\nsteps: { a: { play: "", next: a, on: {failed: b} } }')
say('flow: constructor\nstart: __proto__\nsteps: { constructor: { play: "${constructor} ${__proto__.x} ${toString}", next: toString }, __proto__: { hangup: } }')
say('a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]')
say('x'.repeat(1100000)); say('flow: x\nstart: s0\nsteps:\n' + Array.from({length:10000},(_, i)=>`  s${i}: { play: x, next: s${i+1} }`).join('\n'))
say('flow: ' + '['.repeat(5000)); say('flow: x\nstart: s\nsteps: {s: {set: {a: ' + '['.repeat(300) + ']'.repeat(300) + '}, next: s}}'); 
say('&a [*a]'); say('a: &a\n  b: *a\n'); say('\u0000'); say('steps: !!binary x'); say('? [a]\n: b\nsteps: {}'); say('- 1\n---\n- 2')
