import type { Page } from 'playwright-core';

interface Outcome {
  /** How many controls changed the address of the page. */
  pressed: number;
  /** Those that moved the page, with the places before and after. */
  moved: string[];
}

/**
 * Uses the controls of the page and of its scope, of each kind at most so many, each in the middle
 * of the window. The page is made long enough, and the browser does not follow what is shown: a
 * list that loads would move the page, and rightly.
 */
export function pressControls(page: Page, ofEachKind: number): Promise<Outcome> {
  return page.evaluate(async (most) => {
    // An action keeps its row in view while the details beside the list become shorter.
    const buttons =
      'main :is(input[type=radio]:not(:checked), button[aria-pressed], [role=tab], ' +
      ':is(th, [role=columnheader]) button, a[href]:not([data-action]))';
    const fields =
      ':is(main, [data-frame=top]) input:is([aria-haspopup=listbox], [data-search], [type=date])' +
      ':not([disabled], form *)';
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__: {
        state: { status: string; location: { href: string }; resolvedLocation?: { href: string } };
      };
    };
    const [address, pathname] = [location.href, location.pathname];
    const until = async (isTrue: () => boolean, frames: number) => {
      for (let count = 0; count < frames && !isTrue(); count += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    const untilRendered = async () => {
      await until(() => {
        const { status, location: next, resolvedLocation } = router.state;
        return status === 'idle' && resolvedLocation?.href === next.href;
      }, 600);
      await until(() => false, 2);
    };
    /** Not links to other pages and parts of this one. */
    const isHere = (control: HTMLElement) =>
      !(control instanceof HTMLAnchorElement) ||
      (control.pathname === pathname &&
        ![location.href, address].includes(control.href) &&
        !control.hash &&
        !control.target);
    const nameOf = (control: HTMLElement) =>
      (control instanceof HTMLInputElement && control.labels?.[0]?.textContent) ||
      control.getAttribute('aria-label') ||
      control.textContent;
    const kindOf = (control: HTMLElement) =>
      control.matches(fields) ? nameOf(control) : `${control.tagName} ${control.className}`;
    const write = (field: HTMLInputElement, text: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const use = async (control: HTMLElement) => {
      const isField = control instanceof HTMLInputElement;
      if (isField && control.type === 'date') return write(control, control.min || control.value);
      if (isField && 'search' in control.dataset) return write(control, 'a');
      control.click();
      if (!control.matches('[aria-haspopup=listbox]')) return undefined;
      // The code of the list loads when it is opened for the first time.
      const options = () => [...document.querySelectorAll<HTMLElement>('[role=option]')];
      const other = () =>
        options().find((option) => option.ariaSelected !== 'true' && option.offsetParent !== null);
      await until(() => other() !== undefined, 120);
      return other()?.click();
    };
    document.body.style.minHeight = '4000px';
    for (const root of [document.documentElement, document.body])
      root.style.overflowAnchor = 'none';
    const seen = new Set<string>();
    const counts = new Map<string, number>();
    const moved: string[] = [];
    let pressed = 0;
    for (;;) {
      // Buttons first: a field may leave a list without rows and heads.
      const control = [buttons, fields]
        .flatMap((query) => [...document.querySelectorAll<HTMLElement>(query)])
        .find((one) => {
          const isLeft = (counts.get(kindOf(one)) ?? 0) < most;
          return isLeft && isHere(one) && !seen.has(`${one.getAttribute('name')} ${nameOf(one)}`);
        });
      if (!control) break;
      const name = nameOf(control);
      seen.add(`${control.getAttribute('name')} ${name}`);
      counts.set(kindOf(control), (counts.get(kindOf(control)) ?? 0) + 1);
      // A list that scrolls by itself may also move with the page: the second time, it is in place.
      const row = control.closest('li') ?? control;
      for (let times = 0; times < 2; times += 1) {
        row.scrollIntoView({ block: 'center', behavior: 'instant' });
        await until(() => false, 1);
      }
      const from = Math.max(40, Math.floor(scrollY));
      scrollTo(0, from);
      await until(() => false, 2);
      const before = location.href;
      await use(control);
      // A search waits for a pause in typing.
      await until(() => location.href !== before, control.matches('[data-search]') ? 40 : 6);
      await untilRendered();
      if (location.pathname === pathname && location.href !== before) {
        pressed += 1;
        if (scrollY < from) moved.push(`${name}: ${from} to ${scrollY}`);
      }
      if (location.href === address) continue;
      history.pushState(null, '', address);
      await untilRendered();
    }
    return { pressed, moved };
  }, ofEachKind);
}
