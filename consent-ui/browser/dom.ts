/** Building the page. Text goes in as text nodes only: there is no way from a string to markup in this folder. */

export type Child = Node | string | undefined;

interface Attributes {
  readonly class?: string;
  readonly [attribute: string]: string | undefined;
}

/** A new element. `undefined` children and attributes are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** The element the template is known to contain. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

export function button(id: string): HTMLButtonElement {
  const element = byId(id);
  if (!(element instanceof HTMLButtonElement)) throw new Error(`#${id} is not a button`);
  return element;
}

/** Replaces what an element holds. */
export function fill(element: HTMLElement, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined));
}

/** Shows exactly those of the elements that `visible` says. */
export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible;
}

/** The JSON the server put into the page. */
export function readIsland(): unknown {
  return JSON.parse(byId('island').textContent);
}
