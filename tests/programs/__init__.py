"""Programs that tests make up."""

from tests.programs.generator import generate_program as generate_program
