/**
 * Keeps the page alive when a browser's translation or an extension has replaced or moved nodes that React still knows:
 * React's calls on such a node do what is left to do, in place of an exception that would remove the screen. Our own texts
 * do not need it (docs/adr/0033). Call it before the first render.
 */
export function surviveForeignChanges(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode) removeChild.call(child.parentNode, child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as T;
  };
}
