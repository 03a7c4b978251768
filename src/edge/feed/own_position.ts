/** What the receiver of the box's own position is called on its link. */
export const OWN_POSITION = 'own position';
