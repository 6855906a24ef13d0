import { Refusal, refuse } from './problem-response.ts'
import type { Asker, Scope } from './route.ts'

/** Throws the answer 403 as a `Refusal` to a credential without a second scope, which only some requests need. */
export function alsoNeeds({ scopes }: Pick<Asker, 'scopes'>, scope: Scope, why: string): void {
  if (scopes.has(scope)) return
  throw new Refusal(refuse('forbidden', `this credential lacks the scope ${scope}, which this needs as well: ${why}`))
}
