/** When a page was there, by its own clock: first paint, what it is opened for, and free for keys. Runs before it. */
globalThis.loadOf = (wanted) =>
  new Promise((done) => {
    const found = () => [...document.querySelectorAll(wanted)].some(({ textContent }) => textContent !== '')
    const look = () => {
      if (!found()) return requestAnimationFrame(look)
      // A task that begins in the frame after the next picture was asked for: it is painted.
      requestAnimationFrame(() =>
        setTimeout(() => {
          const usefulMs = performance.now()
          const resources = performance.getEntriesByType('resource')
          const [page] = performance.getEntriesByType('navigation')
          const before = resources.filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= usefulMs)
          requestIdleCallback(() =>
            done({
              firstMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? usefulMs,
              usefulMs,
              freeMs: performance.now(),
              bytesMs: Math.max(page.responseEnd, ...before.map(({ responseEnd }) => responseEnd)),
              kilobytes: [page, ...before].reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_000,
            }),
          )
        }),
      )
    }
    look()
  })
