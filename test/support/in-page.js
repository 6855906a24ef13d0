/**
 * What a test asks of a page. It is there before anything of the page is read, in every frame; a payload finds `hit()`
 * and nothing else of it.
 */

/** Every window may tell the outermost one, also those that may not touch it. */
globalThis.hit = () => {
  top.postMessage('hit', '*')
}

if (top === globalThis) {
  /** The window of a frame that we opened → how often a script ran in it, or in a frame within it. */
  const hits = new Map()
  const outermost = (window) => (window.parent === top ? window : outermost(window.parent))
  addEventListener('message', ({ data, source }) => {
    if (data !== 'hit') return
    const window = outermost(source)
    hits.set(window, (hits.get(window) ?? 0) + 1)
  })

  const HTML = 'http://www.w3.org/1999/xhtml'
  /** What stands there and is in none of the lists, in words. */
  const strangersIn = (root, { tags, attributes, schemes }) => {
    const found = new Set()
    for (const element of root.querySelectorAll('*')) {
      const name = element.localName
      if (!tags.includes(name) || element.namespaceURI !== HTML) found.add(`<${name}>`)
      for (const each of element.attributes) if (!attributes.includes(each.name)) found.add(`${name} ${each.name}=`)
      for (const link of ['href', 'src']) {
        // As the browser reads it.
        const scheme = element.hasAttribute(link) ? new URL(element[link], 'none:x').protocol : undefined
        if (scheme !== undefined && !schemes[link].includes(scheme)) found.add(`${link}="${scheme}"`)
      }
    }
    return [...found]
  }

  /** A link into the world is not followed: that is what links are for. */
  const stay = (event) => {
    const link = event.target.closest('a,area')
    if (link instanceof event.view.HTMLElement && /^(https?|mailto):/.test(link.href)) event.preventDefault()
  }

  const judge = {
    /** A document in a frame of its own, once all that it asked for is there or cannot be had. */
    async open(html) {
      const frame = document.createElement('iframe')
      const isLoaded = new Promise((done) => frame.addEventListener('load', done, { once: true }))
      frame.srcdoc = `<!doctype html><html><body>${html}`
      document.body.append(frame)
      await isLoaded
      return frame
    },
    /** Touches everything in it, as people and programs might. */
    poke(frame, events) {
      const { document, MouseEvent, Event } = frame.contentWindow
      document.addEventListener('click', stay)
      for (const element of document.querySelectorAll('body, body *')) {
        const click = { bubbles: true, cancelable: true, view: frame.contentWindow }
        element.dispatchEvent(new MouseEvent('click', click))
        for (const event of events) element.dispatchEvent(new Event(event, { cancelable: true }))
      }
    },
    /** Where it is; empty when that is a place which we may not look at. */
    placeOf: (frame) => frame.contentDocument?.URL ?? '',
    hitsIn: (frame) => hits.get(frame.contentWindow) ?? 0,
    /** Many results on one page, each in a section of its own: what is wrong with them. */
    async examine(results, rules, events) {
      const frame = await judge.open(results.map((html) => `<section>${html}</section>`).join(''))
      const sections = [...frame.contentDocument.body.childNodes]
      const wrong = results.flatMap((html, place) => {
        const section = sections[place]
        if (section?.nodeName !== 'SECTION') return [`${html}: it got out of its place`]
        // Whoever takes it over from this page must not find anything new in it.
        const again = frame.contentDocument.createElement('section')
        again.innerHTML = section.innerHTML
        const strangers = [...strangersIn(section, rules), ...strangersIn(again, rules)]
        return strangers.length > 0 ? [`${html}: ${strangers}`] : []
      })
      if (sections.length > results.length) wrong.push('something got out of its place')
      judge.poke(frame, events)
      return { frame, wrong }
    },
  }
  globalThis.judge = judge
}
