import { type ComponentType, Suspense, useRef } from 'react'
import { useRoute } from 'wouter'
import type { Page } from './page.ts'

/** What goes on of pages that were opened, while others are shown. */
export function AwayPages({ pages }: { readonly pages: readonly Page[] }) {
  return pages.map(({ path, Away }) => Away && <GoesOn key={path} path={path} Away={Away} />)
}

function GoesOn({ path, Away }: { readonly path: string; readonly Away: ComponentType }) {
  const [isShown] = useRoute(path)
  const wasShown = useRef(false)
  wasShown.current ||= isShown
  if (isShown || !wasShown.current) return null
  return (
    <Suspense>
      <Away />
    </Suspense>
  )
}
