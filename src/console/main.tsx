/** Where the console starts, in a browser. */
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Look } from './look/look.tsx'
import { followOtherTabs } from './session/other-tabs.ts'
import { queryClient } from './session/query-client.ts'
import { SessionGate } from './session-gate.tsx'
import { LanguageProvider } from './texts/language.tsx'

followOtherTabs()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <LanguageProvider>
      <Look>
        <QueryClientProvider client={queryClient}>
          <SessionGate />
        </QueryClientProvider>
      </Look>
    </LanguageProvider>
  </StrictMode>,
)
