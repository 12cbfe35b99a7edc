"""``python -m vectree`` is the ``vectree`` command."""

from vectree.cli import main

if __name__ == "__main__":
    main()
